//  Orders of the shop.

#import "Order.h"
#import <Foundation/Foundation.h>
@import UIKit;

@class Item, Gateway;
@protocol PayDelegate;

NS_ASSUME_NONNULL_BEGIN

#define SHOP_LOG(x) log_line(x)

/// What an order costs.
typedef NS_ENUM(NSInteger, OrderKind) {
    OrderKindSmall, ///< at most one item
    OrderKindLarge API_AVAILABLE(ios(13.0)) = 2,
};
typedef NS_OPTIONS(NSUInteger, OrderFlags) { OrderFlagPaid = 1 << 0 };
typedef void (^PayBlock)(NSError *_Nullable error, Item *item);
typedef NSString *OrderName NS_STRING_ENUM;

FOUNDATION_EXPORT NSString *const OrderChanged;
static NSString *const kKey = @"key";

NS_SWIFT_UI_ACTOR
@protocol Payable <NSObject>
@required
- (BOOL)pay:(Gateway *)gateway amount:(NSInteger)amount error:(NSError **)error;
@optional
- (void)didPay;
@property (nonatomic, readonly) NSInteger total;
@end

/// An order.
///
/// See docs/order.md
NS_CLASS_AVAILABLE_IOS(9_0)
@interface Order<ItemType> : Entity <Payable, NSCopying> {
@private
    NSInteger _count;
    Item *_last;
}

@property (nonatomic, copy, nullable) NSArray<Item *> *items;
@property (nonatomic, copy) void (^done)(BOOL ok);
@property (nonatomic, weak) id<PayDelegate> delegate;

// Makes one.
- (instancetype)initWithName:(NSString *)name count:(NSInteger)count NS_DESIGNATED_INITIALIZER;
+ (instancetype)sharedOrder NS_SWIFT_NAME(shared());
- (void)log:(NSString *)format, ... NS_FORMAT_FUNCTION(1, 2);

@end

@interface Empty : NSObject
@end

@interface NSString (Hex) <Printable>
- (NSString *)hex;
@end

@interface Order ()
@property (nonatomic) NSInteger secret;
@end

NS_ASSUME_NONNULL_END

#pragma mark - Implementation

@implementation Order {
    BOOL _paid;
}

@synthesize items = _items;
@dynamic total;

- (instancetype)initWithName:(NSString *)name count:(NSInteger)count {
    if ((self = [super initWithName:name])) {
        _count = count;
        self.items = @[[Item itemWithName:name], [[Item alloc] init]];
    }
    return self;
}

+ (instancetype)sharedOrder {
    static Order *shared;
    static dispatch_once_t once;
    dispatch_once(&once, ^{ shared = [[self alloc] initWithName:kKey count:OrderKindSmall]; });
    return shared;
}

/// Pays.
- (BOOL)pay:(Gateway *)gateway
     amount:(NSInteger)amount
      error:(NSError **)error
{
#if TARGET_OS_IPHONE
    if (amount > 3) {
#else
    if (amount > 2) {
#endif
        [gateway charge:amount then:^(Item *item, BOOL *stop) {
            [item print];
        }];
    }
    for (Item *one in self.items) {
        [one print];
    }
    [[Order sharedOrder] didPay];
    [self.delegate order:self didFinish:helper(gateway)];
    [[NSNotificationCenter defaultCenter] addObserver:self selector:@selector(pay:amount:error:) name:OrderChanged object:nil];
    return [self conformsToProtocol:@protocol(Payable)];
}

- (void)broken {
    int x = = 3;
}

- (void)didPay { SHOP_LOG(self.items.count); }

@end

@implementation NSString (Hex)
- (NSString *)hex {
    @synchronized(self) {
        return [self lowercaseString];
    }
}
@end

struct Point {
    int x;
};

static int helper(Gateway *gateway) {
    return gateway.limit + OrderKindLarge;
}
