package com.example.inventory.model;

/** There is less than was asked for. */
public class InsufficientStockException extends RuntimeException {
    public InsufficientStockException(String sku, int wanted, int available) {
        super("insufficient stock for " + sku + ": wanted " + wanted + ", available " + available);
    }
}
