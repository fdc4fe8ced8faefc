package com.example.inventory.shipping;

import com.example.inventory.model.Order;

/** The label on a parcel. */
public class ShippingLabel {
    private final Order order;
    private final Carrier carrier;

    public ShippingLabel(Order order, Carrier carrier) {
        this.order = order;
        this.carrier = carrier;
    }

    /** Renders the label as the commands of a label printer. */
    public String toZpl() {
        return "^XA^FO50,50^FD" + carrier.trackingNumber(order.number()) + "^FS^XZ";
    }
}
