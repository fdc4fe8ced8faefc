package com.example.inventory.shipping;

/** A carrier for light parcels within the city. */
public class BikeCourier implements Carrier {
    private static final int MAX_GRAMS = 5000;

    @Override
    public String trackingNumber(String order) {
        return "BIKE-" + order;
    }

    @Override
    public int priceInCents(int grams) {
        if (grams > MAX_GRAMS) {
            throw new IllegalArgumentException("too heavy for a bike: " + grams + " g");
        }
        return 650;
    }
}
