"""Tests of the SDK: python -m unittest, in sdk/python."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = str(ROOT / "src")
sys.path.insert(0, SOURCES)
