package com.example.inventory.service;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.example.inventory.model.InsufficientStockException;
import com.example.inventory.model.StockLevel;
import org.junit.jupiter.api.Test;

/** Tests that stock is reserved for an order, or not at all. */
class ReservationServiceTest {
    @Test
    void reserveFailsWithInsufficientStock() {
        StockLevel level = new StockLevel("A-1", 3);
        assertThrows(InsufficientStockException.class, () -> level.reserve(4));
    }

    @Test
    void reservationExpires() {
        StockLevel level = new StockLevel("A-1", 3);
        level.reserve(2);
        level.release(2);
    }
}
