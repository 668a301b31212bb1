# The tasks of docs/sdk.md, which shows what stands between the marks.
import json
import os

# task 1
from frontdesk import Frontdesk

fd = Frontdesk()  # FRONTDESK_API_KEY, FRONTDESK_BASE_URL
me = fd.whoami()
print(f"1: key of {me['tenant']['slug']}, live: {me['livemode']}")
# end

# task 2
from datetime import datetime, timedelta, timezone

last_week = datetime.now(timezone.utc) - timedelta(days=7)
booked = 0
for call in fd.calls.list(outcome="booking", started_from=last_week):
    if booked == 0 and "summary" in call:
        print(f"2: newest: {call['summary']['title']}")
    booked += 1
print(f"2: {booked} bookings in a week")
# end

# task 3
page = fd.calls.list(limit=1)
detail = fd.calls.get(page.data[0]["id"])
if detail["transcript"]:
    for turn in detail["transcript"]["turns"]:
        print(f"3: {turn['role']}: {turn['text']}")
# end

# task 4
from datetime import date

today = date.today()
free = fd.agents.availability(
    "dental-la-plaza", from_=today + timedelta(days=1), to=today + timedelta(days=8), service_id="limpieza"
)
slots = [slot for day in free["days"] for slot in day["slots"]]
appointment = fd.captures.create(
    {
        "agent": "dental-la-plaza",
        "service_id": "limpieza",
        "scheduled_at": slots[0]["scheduled_at"],
        "customer_name": "Lucía Ejemplo",
        "customer_phone": "+34600000012",
    }
)
print(f"4: booked {appointment.get('service')}, code {appointment.get('confirmation_code')}")
# end

# task 5
from frontdesk import response_of

etag = response_of(fd.captures.get(appointment["id"])).etag
appointment = fd.captures.change(
    appointment["id"], {"scheduled_at": slots[-1]["scheduled_at"], "notes": None}, if_match=etag
)
appointment = fd.captures.set_status(appointment["id"], "cancelled")
print(f"5: the appointment is {appointment['status']}")
# end

# task 6
from frontdesk.types import AgentPatch

patch: AgentPatch = {"specials": "Hoy: arroz con bogavante"}
preview = fd.agents.preview("casa-lola", patch)
for change in preview.get("changes", []):
    print(f"6: {change['path']} would be {change['to']}")
agent = fd.agents.update("casa-lola", patch)
print(f"6: now {agent['config'].get('specials')}")
# end

# task 7
import time

text = "# Parking\n\nThere is free parking behind the shop for two hours.\n"
document = fd.knowledge.documents.upload(text.encode(), filename="parking.md")["document"]
while document["status"] in ("pending", "processing"):
    time.sleep(0.5)
    document = fd.knowledge.documents.get(document["id"])
answer = fd.knowledge.ask("Is there parking behind the shop?")
print(f"7: answered: {answer['answered']}, from {answer['sources'][0]['title']}")
# end

# task 8
connection = fd.connections.create(
    {
        "name": "CRM",
        "url": "https://crm.example.com/frontdesk",
        "events": ["capture.created", "call.completed"],
    }
)
print(f"8: keep the secret {connection['secret'][:10]}…")  # it is not shown again
# end

with open(os.environ["TASKS_WEBHOOK"], encoding="utf-8") as file:
    received = json.load(file)
body, headers, secrets = received["body"], received["headers"], received["secrets"]

# task 9
from frontdesk import webhooks

# In your receiver: body is the bytes as they came, secrets is one or, after a rotation, two.
event = webhooks.verify(body, headers, secrets)
if event["type"] == "capture.created":
    capture = event["data"]["object"]
    print(f"9: {capture.get('customer_name')} left a {capture['kind']}")
# end

# task 10
from frontdesk import APIConnectionError, APIError, NotFoundError

try:
    fd.calls.get("no-such-call", timeout=5, max_retries=0)
except NotFoundError as error:
    print(f"10: not there: {error.code}")
except APIError as error:
    print(f"10: {error}")  # names the request id
except APIConnectionError:
    print("10: no answer")
# end
