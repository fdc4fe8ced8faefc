package com.example.inventory.model;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every movement of goods, in the order in which it was booked. */
public class StockLedger {
    /** Movements that were booked, oldest first. They are never changed: a mistake is corrected by another booking. */
    private final List<Movement> movements = new ArrayList<>();

    /** The sum of all movements by SKU, so that nobody has to add them up again for each question. */
    private final Map<String, Integer> totals = new HashMap<>();

    /** Movements that arrived while the books were closed for stocktaking. They are booked when it has ended. */
    private final Deque<Movement> waiting = new ArrayDeque<>();

    /** The moments at which the books were closed, oldest first; an auditor asks for them once a year. */
    private final List<Instant> closings = new ArrayList<>();

    /** What tells the time. Tests replace it by one that stands still. */
    private final Clock clock;

    /** Whether stocktaking is under way. */
    private boolean closed;

    /** A movement of goods: positive when they arrive, negative when they leave. */
    public record Movement(String sku, int quantity, String reason, Instant moment) {}

    /** Opens an empty ledger; the clock gives each movement its moment, and may be a fixed one. */
    public StockLedger(Clock clock) {
        this.clock = clock;
        this.closed = false;
    }

    /** Books a movement now, or after stocktaking if the books are closed. */
    public void book(String sku, int quantity, String reason) {
        Movement movement = new Movement(sku, quantity, reason, clock.instant());
        if (closed) {
            waiting.addLast(movement);
        } else {
            append(movement);
        }
    }

    private void append(Movement movement) {
        movements.add(movement);
        totals.merge(movement.sku(), movement.quantity(), Integer::sum);
    }

    /** Closes the books, so that what is counted does not change under the counters' hands. */
    public void close() {
        closed = true;
        closings.add(clock.instant());
    }

    /** Opens the books again and books what has arrived meanwhile. */
    public void reopen() {
        closed = false;
        while (!waiting.isEmpty()) {
            append(waiting.removeFirst());
        }
    }

    /** Returns what there should be of an article. */
    public int total(String sku) {
        return totals.getOrDefault(sku, 0);
    }

    /** Lists the movements of an article since a moment, for whoever wonders where it went. */
    public List<Movement> since(String sku, Instant moment) {
        return movements.stream()
            .filter(one -> one.sku().equals(sku) && one.moment().isAfter(moment))
            .toList();
    }

    /** Undoes the last movement of an article by booking its opposite. */
    public void correct(String sku) {
        for (int i = movements.size() - 1; i >= 0; i--) {
            Movement movement = movements.get(i);
            if (movement.sku().equals(sku)) {
                book(sku, -movement.quantity(), "correction of " + movement.reason());
                return;
            }
        }
        throw new IllegalStateException("nothing was booked for " + sku);
    }
}
