package com.example.inventory.repository;

import com.example.inventory.model.Warehouse;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;

/** Warehouses in memory, for tests and demos. */
public class InMemoryWarehouseRepository implements WarehouseRepository {
    private final Map<String, Warehouse> warehouses = new ConcurrentHashMap<>();

    @Override
    public Warehouse require(String code) {
        Warehouse warehouse = warehouses.get(code);
        if (warehouse == null) {
            throw new NoSuchElementException("unknown warehouse '" + code + "'");
        }
        return warehouse;
    }

    @Override
    public void save(Warehouse warehouse) {
        warehouses.put(warehouse.getCode(), warehouse);
    }
}
