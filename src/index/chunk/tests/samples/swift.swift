//  Orders of the shop.

import Foundation
@testable import ShopModel
import struct Money.Currency

let maxItems = 20
private var counter: Int = 0

typealias Handler = (Order) -> Void

/// Can be paid.
public protocol Payable: AnyObject, Comparable {
    associatedtype Receipt
    var total: Money { get }
    init(id: Int)
    func pay(_ amount: Money) throws -> Bool
}

/// An order.
///
/// See docs/order.md
@objc
public final class Order: Entity, Payable {
    static let shared = Order(id: 0)
    private let lines: [Line]

    var total: Money {
        lines.map { $0.price }.reduce(.zero, +)
    }

    // Makes one.
    init(id: Int, lines: [Line] = []) {
        self.lines = lines
        super.init(id: id)
    }

    deinit {
        Registry.remove(self)
    }

    /// Pays.
    @discardableResult
    override func pay(_ amount: Money) throws -> Bool {
        guard let gateway = Gateway.make(for: Card.self) else { return false }
        return try gateway.charge(amount)?.isDone ?? false
    }

    class func parse(text: String) -> Order? {
        JSONDecoder().decode(Order.self, from: text)
    }

    subscript(index: Int) -> Line {
        lines[index]
    }
}

struct Point<T: Numeric>: Hashable {
    var x: T
    mutating func move(by d: T) { x += d }
}

enum Status: String, CaseIterable {
    case open
    case paid(at: Date), closed

    func next() -> Status { .open }
}

extension Order: CustomStringConvertible {
    var description: String { format(total) }

    // MARK: Copies
    func twice() -> [Line] { lines + lines }
}

actor Bank {
    func deposit(_ money: Money) async {}
}

/// Formats money.
func format(_ money: Money, locale: Locale = .current) -> String {
    func inner() -> Int { money.cents }
    return "\(inner()) \(locale.currencyCode ?? "")"
}

final class OrderTests: XCTestCase {
    func testPays() throws {
        XCTAssertTrue(try Order(id: 1).pay(Money(2)))
    }
}
