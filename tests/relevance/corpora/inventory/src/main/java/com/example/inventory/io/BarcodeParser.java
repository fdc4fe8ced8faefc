package com.example.inventory.io;

/** Reads EAN-13 barcodes. */
public class BarcodeParser {
    /** Returns the digits of a barcode whose check digit is right. */
    public String parse(String scanned) {
        String digits = scanned.replaceAll("\\D", "");
        if (digits.length() != 13) {
            throw new IllegalArgumentException("a barcode has 13 digits, not " + digits.length());
        }
        if (checkDigit(digits) != digits.charAt(12) - '0') {
            throw new IllegalArgumentException("wrong check digit in barcode " + digits);
        }
        return digits;
    }

    private int checkDigit(String digits) {
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += (digits.charAt(i) - '0') * (i % 2 == 0 ? 1 : 3);
        }
        return (10 - sum % 10) % 10;
    }
}
