package com.example.inventory.service;

import com.example.inventory.event.EventPublisher;
import com.example.inventory.event.StockReserved;
import com.example.inventory.locking.LockManager;
import com.example.inventory.model.Order;
import com.example.inventory.model.StockLevel;
import com.example.inventory.repository.WarehouseRepository;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Promises stock to orders, for a limited time. */
public class ReservationService {
    private static final Duration TTL = Duration.ofMinutes(30);

    private final WarehouseRepository warehouses;
    private final LockManager locks;
    private final EventPublisher events;
    private final Clock clock;
    private final Map<String, Instant> expiries = new HashMap<>();

    public ReservationService(WarehouseRepository warehouses, LockManager locks, EventPublisher events, Clock clock) {
        this.warehouses = warehouses;
        this.locks = locks;
        this.events = events;
        this.clock = clock;
    }

    /** Reserves all lines of an order, or none of them. */
    public void reserve(String warehouse, Order order) {
        locks.withLock(warehouse, () -> {
            for (Order.Line line : order.lines()) {
                stock(warehouse, line.sku()).reserve(line.quantity());
            }
            expiries.put(order.number(), clock.instant().plus(TTL));
            events.publish(new StockReserved(order.number()));
        });
    }

    /** Gives the stock of an order back, for instance when it was cancelled. */
    public void cancel(String warehouse, Order order) {
        for (Order.Line line : order.lines()) {
            stock(warehouse, line.sku()).release(line.quantity());
        }
        expiries.remove(order.number());
    }

    /** Whether the time for which the stock was promised is over. */
    public boolean isExpired(Order order) {
        Instant expiry = expiries.get(order.number());
        return expiry != null && clock.instant().isAfter(expiry);
    }

    private StockLevel stock(String warehouse, String sku) {
        return warehouses.require(warehouse).levelOf(sku).orElseThrow();
    }
}
