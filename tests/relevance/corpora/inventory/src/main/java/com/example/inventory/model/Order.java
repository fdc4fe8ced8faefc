package com.example.inventory.model;

import java.util.List;

/** What a customer wants. */
public record Order(String number, List<Line> lines) {
    public record Line(String sku, int quantity) {}
}
