from __future__ import annotations

import shutil
import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path

from frontdesk import APIConnectionError, Frontdesk

from .server import KEY, Server, ok


@unittest.skipUnless(shutil.which("openssl"), "NOT COVERED: openssl is not here to make a certificate")
class TLS(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.certificate, self.key = Path(directory.name) / "cert.pem", Path(directory.name) / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
            + ["-keyout", str(self.key), "-out", str(self.certificate)],
            check=True,
            capture_output=True,
        )

    def test_an_authority_of_ones_own(self) -> None:
        with Server(*[ok({})] * 3, certificate=(self.certificate, self.key)) as server:
            context = ssl.create_default_context(cafile=str(self.certificate))
            fd = Frontdesk(KEY, base_url=server.url, ssl_context=context)
            for _ in range(3):
                fd.whoami()
            self.assertEqual(len({asked.peer for asked in server.asked}), 1)

    def test_an_authority_that_nobody_knows(self) -> None:
        with Server(certificate=(self.certificate, self.key)) as server:
            with self.assertRaisesRegex(APIConnectionError, "CERTIFICATE_VERIFY_FAILED"):
                Frontdesk(KEY, base_url=server.url, max_retries=0).whoami()
            self.assertEqual(server.asked, [])
