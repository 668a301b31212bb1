from __future__ import annotations

import base64
import csv
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from . import ROOT


def build(directory: str) -> dict[str, bytes]:
    os.makedirs(directory)
    command = [sys.executable, str(ROOT / "build_backend" / "wheels.py"), directory]
    subprocess.run(command, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in Path(directory).iterdir()}


class Wheel(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def test_the_same_sources_give_the_same_bytes(self) -> None:
        first = build(os.path.join(self.directory, "a"))
        self.assertEqual(len(first), 2)
        self.assertEqual(first, build(os.path.join(self.directory, "b")))

    def test_it_is_whole(self) -> None:
        build(os.path.join(self.directory, "a"))
        (path,) = Path(self.directory, "a").glob("*.whl")
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            (record,) = [name for name in names if name.endswith("RECORD")]
            listed = list(csv.reader(wheel.read(record).decode().splitlines()))
            self.assertEqual([row[0] for row in listed], names)
            for name, digest, size in listed[:-1]:
                content = wheel.read(name)
                want = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), ("sha256=" + want, str(len(content))))
        self.assertIn("frontdesk/py.typed", names)
        self.assertIn("frontdesk/resources/calls.py", names)

    def test_it_works_alone(self) -> None:
        """Python imports from a wheel as it is; -I keeps the sources here out of its way."""
        build(os.path.join(self.directory, "a"))
        (path,) = Path(self.directory, "a").glob("*.whl")
        code = f"import sys; sys.path.insert(0, {str(path)!r}); import frontdesk; print(frontdesk.__version__)"
        done = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
        self.assertIn(done.stdout.strip(), path.name)
