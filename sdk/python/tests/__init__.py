"""Tests of the SDK: python -m unittest, in sdk/python."""

import sys
from pathlib import Path

SOURCES = str(Path(__file__).resolve().parent.parent / "src")
sys.path.insert(0, SOURCES)
