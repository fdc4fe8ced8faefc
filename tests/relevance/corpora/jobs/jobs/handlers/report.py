"""Monthly reports as CSV."""

import csv
from pathlib import Path


def build_report(month: str, rows: list, out: str) -> Path:
    """Writes the report of a month, with one line for each row and a total at the end."""
    path = Path(out) / f"report-{month}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["day", "amount"])
        for day, amount in rows:
            writer.writerow([day, amount])
        writer.writerow(["total", sum(amount for _, amount in rows)])
    return path
