package org.shop
package orders

import scala.collection.mutable
import org.shop.model.{Order, Line => OrderLine}
import org.shop.util._
import cats.syntax.all.*

/** Can be paid. */
sealed trait Payable extends Serializable with Ordered[Payable] {
  def total: Money
  type Id = Long
}

/**
 * An order.
 *
 * @param id its number
 */
@SerialVersionUID(1L)
final case class Order(id: Long, lines: List[Line] = Nil) extends BaseEntity(id) with Payable {
  private val log = LoggerFactory.getLogger("shop")
  lazy val count: Int = lines.size

  def this(id: Long) = this(id, Nil)

  // Sums up.
  override def total: Money = lines.map(_.price).foldLeft(Money.zero)(_ + _)

  @throws[IOException]
  def pay(amount: Money)(implicit gateway: Gateway): Either[Error, Receipt] = {
    val receipt = new Receipt(amount)
    gateway.charge[Card](amount, receipt) match {
      case Success(done) => Right(done)
      case _ => Left(PaymentError("no"))
    }
  }
}

object Order {
  val MaxItems = 20
  var shared: Option[Order] = None

  def apply(text: String): Order = Json.parse(text).as[Order]

  implicit class Rich(order: Order) {
    def twice: Order = order.copy(lines = order.lines ++ order.lines)
  }
}

enum Status(val label: String) {
  case Open extends Status("open")
  case Paid, Closed

  def next: Status = Status.fromOrdinal(ordinal + 1)
}

type Handler = Order => Unit

given ordering: Ordering[Order] with
  def compare(a: Order, b: Order): Int = a.id.compare(b.id)

extension (money: Money)
  def format(locale: Locale): String =
    s"${money.cents} ${locale.currency}"

def topLevel(x: Int): Int =
  def inner = 1 to x
  inner

class OrderSpec extends AnyFlatSpec with Matchers {
  "An order" should "sum up" in {
    Order(1).total shouldBe Money.zero
  }

  test("pays in full") {
    assert(Order(1).pay(Money(2)).isRight)
  }
}
