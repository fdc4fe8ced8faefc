package com.example.inventory.shipping;

/** A carrier whose price grows with the weight. */
public class ParcelService implements Carrier {
    @Override
    public String trackingNumber(String order) {
        return "PS" + Math.abs(order.hashCode());
    }

    @Override
    public int priceInCents(int grams) {
        return 390 + 100 * (grams / 1000);
    }
}
