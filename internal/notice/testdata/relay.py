# A mail relay for the tests: aiosmtpd takes mail, Python's own email package
# reads it, and each mail becomes one line of JSON. The first line is the port.
import asyncio
import email
import email.policy
import json
import sys

from aiosmtpd.smtp import SMTP


class Relay:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such address"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = [
            {"type": p.get_content_type(), "params": dict(p["Content-Type"].params), "name": p.get_filename(), "text": p.get_content()}
            for p in mail.walk()
            if not p.is_multipart()
        ]
        line = {
            "to": envelope.rcpt_tos,
            "headers": {name.lower(): str(value).strip() for name, value in mail.items()},
            "defects": [str(d) for d in mail.defects],
            "parts": parts,
        }
        print(json.dumps(line), flush=True)
        return "250 OK"


async def serve():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Relay(), hostname="relay"), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(serve())
