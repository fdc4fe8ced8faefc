package com.example.inventory.model;

/** How an article is counted. */
public enum Unit {
    PIECE,
    KILOGRAM,
    LITRE
}
