// Copyright the authors.

library shop.orders;

import 'dart:async';
import 'package:shop/model.dart' as model;
import '../util/money.dart' show Money, Currency hide Locale;
export 'src/line.dart';
part 'order.g.dart';

const int maxItems = 20;
final log = Logger('shop');
var counter = 0;

typedef Handler = void Function(Order order);

/// Can be paid.
abstract class Payable implements Comparable<Payable> {
  Money get total;

  Future<bool> pay(Money amount);
}

mixin Logging on Entity {
  void info(String text) => log.info(text);
}

/// An order.
///
/// See [Payable].
@JsonSerializable()
class Order<T extends Line> extends Entity with Logging implements Payable {
  static const table = 'orders';
  final List<T> lines;

  Order(this.lines, {required int id}) : super(id);

  const Order.empty() : lines = const [];

  factory Order.fromJson(Map<String, dynamic> json) => _$OrderFromJson(json);

  @override
  Money get total => lines.fold(Money.zero, (sum, line) => sum + line.price);

  set name(String value) {
    _name = value.trim();
  }

  // Pays.
  @override
  Future<bool> pay(Money amount) async {
    final gateway = Gateway<Card>(amount);
    info('paying');
    return await gateway.charge(amount)?.done ?? false;
  }

  static Order parse(String text) {
    return Order.fromJson(jsonDecode(text));
  }

  bool operator ==(Object other) => other is Order;
}

enum Status {
  open('open'),
  paid('paid');

  const Status(this.label);
  final String label;

  Status next() => values[index + 1];
}

extension MoneyFormat on Money {
  String format() => '$cents';
}

/// Formats money.
String formatMoney(Money money, [Locale? locale]) {
  int inner() => money.cents;
  return '${inner()} ${locale.toString()}';
}

void main() {
  group('orders', () {
    test('pays in full', () async {
      expect(await Order([], id: 1).pay(Money(2)), isTrue);
    });
  });
}
