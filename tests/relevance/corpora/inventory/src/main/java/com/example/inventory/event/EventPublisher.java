package com.example.inventory.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells subscribers what happened. */
public class EventPublisher {
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    public void subscribe(Subscriber subscriber) {
        subscribers.add(subscriber);
    }

    public void publish(Object event) {
        for (Subscriber subscriber : subscribers) {
            subscriber.on(event);
        }
    }

    /** Is told of every event. */
    public interface Subscriber {
        void on(Object event);
    }
}
