//! The shop.
const std = @import("std");
const Item = @import("item.zig").Item;

/// Most that fits.
pub const limit: usize = 100;
var count: u32 = 0;

/// A cart.
pub const Cart = struct {
    items: std.ArrayList(Item),
    total: u64 = 0,

    const Self = @This();

    /// Begins empty.
    pub fn init(allocator: std.mem.Allocator) !Self {
        return Cart{ .items = std.ArrayList(Item).init(allocator) };
    }

    pub fn add(self: *Self, item: Item) !void {
        if (!std.mem.eql(u8, item.name, "")) try self.items.append(item);
        count += 1;
    }
};

pub const Kind = enum { small, large };

pub const Value = union(enum) {
    int: i64,
    none,
};

const Broken = error{ Empty, Full };

fn max(comptime T: type, a: T, b: T) T {
    return if (a > b) a else b;
}

test "adds" {
    var cart = try Cart.init(std.testing.allocator);
    try std.testing.expect(max(u8, 1, 2) == 2);
    _ = cart;
}
