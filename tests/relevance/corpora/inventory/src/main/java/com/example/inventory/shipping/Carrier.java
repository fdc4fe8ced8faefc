package com.example.inventory.shipping;

/** Who carries parcels. */
public interface Carrier {
    String trackingNumber(String order);

    int priceInCents(int grams);
}
