"""Keeps appointments.csv in step with the appointments of frontdesk."""

import csv
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

from frontdesk import Frontdesk

OURS = ["id", "scheduled_at", "service", "customer_name", "customer_phone", "party_size", "status", "notes", "updated_at"]

sheet = Path(sys.argv[1] if len(sys.argv) > 1 else "appointments.csv")
cursor = sheet.with_suffix(".cursor")


def cell(value):
    """What a caller said must not become a formula: =, +, - and @ begin one."""
    text = "" if value is None else str(value)
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def replace(path, write):
    """Write a file whole or not at all."""
    new = path.with_name(path.name + ".new")
    with open(new, "w", newline="", encoding="utf-8-sig") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


rows, columns = {}, list(OURS)
if sheet.exists():
    with open(sheet, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        columns = list(reader.fieldnames or OURS)  # yours stay where they are
        rows = {row["id"]: row for row in reader}
columns += [name for name in OURS if name not in columns]

since = None
if sheet.exists() and cursor.exists():  # without the sheet, all of it again
    # Ten seconds again: what was written at that moment may have become visible after it.
    since = datetime.fromisoformat(cursor.read_text(encoding="utf-8-sig")) - timedelta(seconds=10)

newest, added, changed = "", 0, 0
for capture in Frontdesk().captures.list(kind="appointment", updated_from=since, limit=100):
    newest = max(newest, capture["updated_at"])
    row = {name: cell(capture.get(name)) for name in OURS}
    before = rows.get(capture["id"])
    if before is None:
        added += 1
    elif any(before.get(name) != row[name] for name in OURS):
        changed += 1
    rows[capture["id"]] = {**(before or {}), **row}


def write_rows(file):
    writer = csv.DictWriter(file, columns, restval="")
    writer.writeheader()
    writer.writerows(sorted(rows.values(), key=lambda row: (row["scheduled_at"], row["id"])))


if added or changed or not sheet.exists():
    replace(sheet, write_rows)
if newest:  # after the rows: if this is not reached, they are read again
    replace(cursor, lambda file: file.write(newest.replace("Z", "+00:00")))
print(f"{added} added, {changed} changed, {len(rows)} appointments")
