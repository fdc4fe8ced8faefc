package com.example.inventory.service;

import com.example.inventory.locking.LockManager;
import com.example.inventory.repository.WarehouseRepository;

/** Moves stock between warehouses. */
public class TransferService {
    private final WarehouseRepository warehouses;
    private final LockManager locks;

    public TransferService(WarehouseRepository warehouses, LockManager locks) {
        this.warehouses = warehouses;
        this.locks = locks;
    }

    /** Moves a quantity; both warehouses are locked in a fixed order, so that no two transfers block each other. */
    public void transfer(String from, String to, String sku, int quantity) {
        String first = from.compareTo(to) < 0 ? from : to;
        String second = first.equals(from) ? to : from;
        locks.withLock(first, () -> locks.withLock(second, () -> {
            warehouses.require(from).levelOf(sku).orElseThrow().withdraw(quantity);
            warehouses.require(to).levelOf(sku).orElseThrow().receive(quantity);
        }));
    }
}
