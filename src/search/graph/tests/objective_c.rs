//! Messages of Objective-C, and functions that it shares with C.

use super::check;
use crate::search::graph::Graph;
use crate::search::segment::Index;
use crate::search::segment::samples::sources;

const CART_H: &str = "#import \"Item.h\"\n\n@interface Cart : Store <Payable>\n@property (nonatomic) Item *last;\n\
    - (void)addItem:(Item *)item count:(int)count;\n- (void)addItem:(Item *)item;\n+ (instancetype)sharedCart;\n@end\n";

const CART_M: &str = "#import \"Cart.h\"\n#include \"money.h\"\n\n@implementation Cart\n\n\
    - (void)addItem:(Item *)item count:(int)count {\n    [self addItem:item];\n    [super open];\n    round_money(count);\n}\n\n\
    - (void)addItem:(Item *)item {\n    self.last = item;\n    [item print];\n    [self.last print];\n}\n\n\
    + (instancetype)sharedCart {\n    return nil;\n}\n\n@end\n";

const ITEM_H: &str = "@interface Item : NSObject\n- (void)print;\n@end\n";
const ITEM_M: &str =
    "#import \"Item.h\"\n\n@implementation Item\n- (void)print {\n    NSLog(@\"one\");\n}\n@end\n";

const OTHER_M: &str = "@implementation Other\n- (void)addItem:(id)item {\n    return;\n}\n- (void)print {\n    return;\n}\n@end\n";

const STORE_H: &str =
    "@protocol Payable\n- (void)pay:(int)amount;\n@end\n\n@interface Store : NSObject\n- (void)open;\n@end\n";

const MONEY: &str = "#include \"money.h\"\n\nint round_money(int n) {\n    return n - n % 5;\n}\n";

const USE_M: &str = "#import \"Cart.h\"\n\nvoid use(Cart *cart, Item *item, id<Payable> other) {\n    [cart addItem:item\n            count:2];\n    \
    [[Cart sharedCart] addItem:item count:3];\n    [[[Cart alloc] init] addItem:item];\n    [other pay:4];\n    \
    perform(cart, @selector(addItem:count:));\n    Cart *made = [Cart new];\n    made.last = item;\n}\n";

const FILES: &[(&str, &str)] = &[
    ("Cart.h", CART_H),
    ("Cart.m", CART_M),
    ("Item.h", ITEM_H),
    ("Item.m", ITEM_M),
    ("Other.m", OTHER_M),
    ("Store.h", STORE_H),
    ("Use.m", USE_M),
    ("money.c", MONEY),
    ("money.h", "int round_money(int n);\n"),
];

#[test]
fn a_message_means_the_method_of_its_receiver() {
    check(
        FILES,
        &[
            ("Cart.m", "addItem:", &["Cart.m Cart.addItem: (same type)"]),
            ("Cart.m", "open", &["Store.h Store.open (inherited)"]),
            ("Cart.m", "print", &["Item.m Item.print (declared type)"]),
            ("Cart.m", "last", &["Cart.h Cart.last (same type)"]),
            ("Use.m", "addItem:count:", &["Cart.m Cart.addItem:count: (declared type)"]),
            ("Use.m", "addItem:", &["Cart.m Cart.addItem: (declared type)"]),
            ("Use.m", "sharedCart", &["Cart.m Cart.sharedCart (qualifier)"]),
            ("Use.m", "pay:", &["Store.h Payable.pay: (declared type)"]),
            ("Use.m", "last", &["Cart.h Cart.last (declared type)"]),
            ("Use.m", "Cart", &["Cart.h Cart (import)"]),
        ],
    );
}

#[test]
fn functions_of_c_are_called_across_languages() {
    check(FILES, &[("Cart.m", "round_money", &["money.c round_money (import)"])]);
    // In C, `self` is a name like any other.
    check(
        &[
            (
                "a.c",
                "void go(struct cart *self) {\n    self->run(self);\n}\nvoid run(void) {\n    stop();\n}\n",
            ),
            ("b.m", "@implementation B\n- (void)run {\n    return;\n}\n@end\n"),
        ],
        &[("a.c", "run", &[])],
    );
}

#[test]
fn a_selector_is_written_in_several_ways() {
    let segment = sources(FILES);
    let index = Index::whole(&segment);
    let graph = Graph::new(&index);
    let found = |symbol: &str| -> Vec<String> {
        let all = graph.find(symbol).unwrap().into_iter().map(|at| graph.declaration(at).unwrap());
        all.map(|(file, row)| format!("{}:{}", file.path(), row.name_line)).collect()
    };
    let both = ["Cart.m:6", "Cart.h:5"];
    for symbol in [
        "addItem:count:",
        "Cart.addItem:count:",
        "Cart::addItem:count:",
        "-[Cart addItem:count:]",
        "[Cart addItem:count:]",
        "-[Cart(Shop) addItem:count:]",
    ] {
        assert_eq!(found(symbol), both, "{symbol}");
    }
    assert_eq!(found("Cart.m:addItem:count:"), ["Cart.m:6"]);
    assert_eq!(found("Cart.addItem:"), ["Cart.m:12", "Cart.h:6"]);
    assert_eq!(found("+[Cart sharedCart]"), ["Cart.m:18", "Cart.h:7"]);
    assert_eq!(found("Cart.addItem:size:"), Vec::<String>::new());
}
