package com.example.inventory.locking;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** One lock for each warehouse. */
public class LockManager {
    private static final long TIMEOUT_MS = 2000;

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    /** Runs an action while nobody else has the lock of that name. */
    public void withLock(String name, Runnable action) {
        ReentrantLock lock = locks.computeIfAbsent(name, key -> new ReentrantLock());
        try {
            if (!lock.tryLock(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("timed out waiting for the lock of warehouse " + name);
            }
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", error);
        }
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }
}
