package com.example.inventory.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class BarcodeParserTest {
    private final BarcodeParser parser = new BarcodeParser();

    @Test
    void acceptsARightCheckDigit() {
        assertEquals("4006381333931", parser.parse("4006381-333931"));
    }

    @Test
    void refusesAWrongCheckDigit() {
        assertThrows(IllegalArgumentException.class, () -> parser.parse("4006381333930"));
    }
}
