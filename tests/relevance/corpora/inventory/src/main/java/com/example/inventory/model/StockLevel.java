package com.example.inventory.model;

/** How much of an article a warehouse has, and how much of that is promised to orders. */
public class StockLevel {
    private final String sku;
    private int onHand;
    private int reserved;

    public StockLevel(String sku, int onHand) {
        this.sku = sku;
        this.onHand = onHand;
    }

    public String getSku() {
        return sku;
    }

    /** What can still be promised. */
    public int available() {
        return onHand - reserved;
    }

    public void reserve(int quantity) {
        if (quantity > available()) {
            throw new InsufficientStockException(sku, quantity, available());
        }
        reserved += quantity;
    }

    public void release(int quantity) {
        reserved = Math.max(0, reserved - quantity);
    }

    /** Removes picked goods from the shelf. */
    public void withdraw(int quantity) {
        release(quantity);
        onHand -= quantity;
    }

    public void receive(int quantity) {
        onHand += quantity;
    }
}
