package com.example.inventory.repository;

import com.example.inventory.model.Warehouse;

/** Where warehouses are kept. */
public interface WarehouseRepository {
    Warehouse require(String code);

    void save(Warehouse warehouse);
}
