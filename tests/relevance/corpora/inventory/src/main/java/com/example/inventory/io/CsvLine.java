package com.example.inventory.io;

import java.util.ArrayList;
import java.util.List;

/** One line of a CSV file. */
final class CsvLine {
    private CsvLine() {}

    /** Splits a line at its commas, except those between quotation marks. */
    static List<String> split(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (char c : line.toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
