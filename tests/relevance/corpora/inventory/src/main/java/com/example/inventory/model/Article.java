package com.example.inventory.model;

/** Something that can be stored. */
public record Article(String sku, String name, int reorderPoint, Unit unit) {
    public Article {
        if (sku.isBlank()) {
            throw new IllegalArgumentException("an article needs a SKU");
        }
    }
}
