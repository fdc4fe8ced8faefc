@file:JvmName("Shop")

package org.shop.orders

import kotlinx.coroutines.flow.Flow
import org.shop.model.Order as OrderModel
import org.shop.util.*

const val MAX_ITEMS = 20
private val log = LoggerFactory.getLogger("shop")
var counter: Int = 0

typealias Handler = (Order) -> Unit

/** Can be paid. */
sealed interface Payable : Comparable<Payable> {
    val total: Money

    fun pay(amount: Money): Boolean
}

/**
 * An order.
 */
@Serializable
data class Order(
    val id: Long,
    @SerialName("lines") val lines: List<Line> = emptyList(),
) : BaseEntity(id), Payable {
    constructor(id: Long, line: Line) : this(id, listOf(line))

    init {
        require(id > 0) { "bad id" }
    }

    override val total: Money
        get() = lines.map { it.price }.sum()

    // Pays.
    @Throws(PaymentException::class)
    override fun pay(amount: Money): Boolean {
        val gateway = Gateway.create<Card>()
        return gateway?.charge(amount) ?: false
    }

    companion object {
        fun parse(text: String): Order = Json.decodeFromString(text)
    }

    enum class Status(val label: String) {
        OPEN("open"),
        PAID("paid");

        fun next(): Status = values()[ordinal + 1]
    }
}

object Registry : Closeable {
    private val orders = mutableMapOf<Long, Order>()

    override fun close() {
        orders.clear()
    }
}

/** Formats money. */
fun Money.format(locale: Locale = Locale.US): String {
    fun inner() = this.cents
    return "${inner()} ${locale.currency()}"
}

suspend fun <T : Any> load(source: Flow<T>): List<T> = source.toList()

fun interface Visitor {
    fun visit(node: Node)
}

class OrderTest {
    @Test
    fun `pays in full`() {
        assertTrue(Order(1, Line()).pay(Money(2)))
    }
}
