package com.example.inventory.service;

import com.example.inventory.model.StockLevel;
import com.example.inventory.model.Warehouse;
import java.util.Map;
import java.util.TreeMap;

/** Compares what was counted by hand with what the books say. */
public class StocktakingService {
    /** Returns the differences by SKU; positive where more was counted. */
    public Map<String, Integer> differences(Warehouse warehouse, Map<String, Integer> counted) {
        Map<String, Integer> differences = new TreeMap<>();
        counted.forEach((sku, quantity) -> {
            int booked = warehouse.levelOf(sku).map(StockLevel::available).orElse(0);
            if (quantity != booked) {
                differences.put(sku, quantity - booked);
            }
        });
        return differences;
    }
}
