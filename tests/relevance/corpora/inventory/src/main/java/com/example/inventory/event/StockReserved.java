package com.example.inventory.event;

/** The stock of an order was reserved. */
public record StockReserved(String order) {}
