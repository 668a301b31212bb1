"""Keeps the contacts and deals of a CRM in step with frontdesk."""

import json
import os
import sqlite3
import sys
import threading
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote
from urllib.request import Request, urlopen

from frontdesk import Frontdesk, SignatureError, webhooks

STAGES = {"pending_confirm": "open", "confirmed": "won", "cancelled": "lost", "no_show": "lost"}

one_at_a_time = threading.Lock()
state = sqlite3.connect(os.environ.get("CRM_STATE", "crm.db"), check_same_thread=False)
state.executescript("""
    CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS deals (capture TEXT PRIMARY KEY, updated_at TEXT);
    CREATE TABLE IF NOT EXISTS caught_up (one INTEGER PRIMARY KEY, at TEXT);
""")


def put(path, body):
    """Replace what the CRM has at path. Change this for the CRM that you have."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["CRM_TOKEN"]}
    urlopen(Request(os.environ["CRM_URL"] + path, json.dumps(body).encode(), headers, method="PUT"), timeout=10).close()


def write(capture):
    phone = capture.get("customer_phone")
    if phone:
        put("/contacts/" + quote(phone), {"name": capture.get("customer_name"), "email": capture.get("customer_email")})
    title = capture.get("service") or capture["kind"]
    deal = {"contact": phone, "title": title, "stage": STAGES.get(capture["status"], "open"), "due": capture["scheduled_at"]}
    put("/deals/" + capture["id"], deal)


def handle(event):
    """Write what an event tells, unless that or something newer has been written."""
    if event["type"] not in ("capture.created", "capture.updated"):
        return
    capture = event["data"]["object"]
    with one_at_a_time, state:
        if state.execute("SELECT 1 FROM events WHERE id = ?", [event["id"]]).fetchone():
            return
        known = state.execute("SELECT updated_at FROM deals WHERE capture = ?", [capture["id"]]).fetchone()
        if not known or known[0] <= capture["updated_at"]:
            write(capture)  # before it is noted: if this fails, the event comes again
            state.execute("REPLACE INTO deals VALUES (?, ?)", [capture["id"], capture["updated_at"]])
        state.execute("INSERT INTO events VALUES (?)", [event["id"]])


def catch_up():
    """Read what happened while nothing was received, oldest first."""
    last = state.execute("SELECT at FROM caught_up").fetchone()
    since = datetime.fromisoformat(last[0].replace("Z", "+00:00")) - timedelta(seconds=10) if last else None
    missed = list(Frontdesk().events.list(created_from=since, limit=100))
    for event in reversed(missed):
        handle(event)
    if missed:
        with one_at_a_time, state:
            state.execute("REPLACE INTO caught_up VALUES (1, ?)", [missed[0]["timestamp"]])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            handle(webhooks.verify(body, self.headers, os.environ["WEBHOOK_SECRETS"].split(",")))
            self.send_response(204)
        except SignatureError as error:
            self.log_error("refused: %s", error)
            self.send_response(401)
        except OSError as error:  # the CRM does not answer, or refuses
            self.log_error("the CRM failed, the event will come again: %s", error)
            self.send_response(503)
        self.end_headers()


catch_up()
if "--catch-up" not in sys.argv:
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
