// The build of the shop.
import org.shop.Version
import static org.shop.Tools.zip

plugins { id 'java' }

def version = Version.read(file('version.txt'))

tasks.register('docs', Copy) {
    from zip('docs')
}

task release {
    dependsOn 'docs'
}

/** Sells things. */
@CompileStatic
class Shop extends Base implements Seller {
    private final Store store = new Store()
    static int count

    Shop(Store store) { this.store = store }

    Order place(Cart cart) {
        def order = store.save(cart)
        order.items.each { Item item -> item.ship() }
        return order
    }

    def "an order is placed"() {
        expect:
        place(new Cart()).total == 3
    }
}

enum State { OPEN, PAID }

trait Seller {
    abstract Order place(Cart cart)
}

def helper(x) {
    println x
}
