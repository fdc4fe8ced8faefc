package com.example.inventory.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A place with shelves. */
public class Warehouse {
    private final String code;
    private final Map<String, StockLevel> levels = new HashMap<>();

    public Warehouse(String code) {
        this.code = code;
    }

    public String getCode() {
        return code;
    }

    public Optional<StockLevel> levelOf(String sku) {
        return Optional.ofNullable(levels.get(sku));
    }

    public void put(StockLevel level) {
        levels.put(level.getSku(), level);
    }
}
