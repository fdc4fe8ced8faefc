package com.example.inventory.service;

import com.example.inventory.model.Order;
import com.example.inventory.model.Warehouse;
import java.util.Comparator;
import java.util.List;

/** Plans the way of a picker through the warehouse. */
public class PickingService {
    public record Stop(String shelf, String sku, int quantity) {}

    /** Orders the stops so that every aisle is walked once. */
    public List<Stop> route(Order order, ShelfPlan plan) {
        return order.lines().stream()
            .map(line -> new Stop(plan.shelfOf(line.sku()), line.sku(), line.quantity()))
            .sorted(Comparator.comparing(Stop::shelf))
            .toList();
    }

    /** Takes the goods of a stop from the shelf. */
    public void pick(Warehouse warehouse, Stop stop) {
        warehouse.levelOf(stop.sku()).orElseThrow().withdraw(stop.quantity());
    }

    /** Where each article is. */
    public interface ShelfPlan {
        String shelfOf(String sku);
    }
}
