"""Builds the wheel and the source archive with nothing but Python.

It is the build backend of pyproject.toml (PEP 517), and a program:

    python build_backend/wheels.py dist

The same sources give the same bytes: files in order, one date, one mode.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAME = "frontdesk"
DATE = (2020, 1, 1, 0, 0, 0)
DATE_SECONDS = 1577836800

WHEEL = """\
Wheel-Version: 1.0
Generator: frontdesk-wheels 1
Root-Is-Purelib: true
Tag: py3-none-any
"""


def version() -> str:
    text = (ROOT / "src" / NAME / "_version.py").read_text(encoding="utf-8")
    found = re.search(r'"(.+)"', text)
    if found is None:
        raise ValueError("_version.py names no version")
    return found.group(1)


def metadata() -> str:
    return (
        f"""\
Metadata-Version: 2.1
Name: {NAME}
Version: {version()}
Summary: Client of the API of frontdesk, the self-hosted voice receptionist
License: Apache-2.0
Requires-Python: >=3.10
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""
        + (ROOT / "README.md").read_text(encoding="utf-8")
    )


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Write the wheel and return its file name."""
    files = {str(path.relative_to(ROOT / "src")): path.read_bytes() for path in sources("src")}
    return write_wheel(wheel_directory, files)


def build_editable(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Write a wheel that points at the sources, for `pip install -e .`."""
    return write_wheel(wheel_directory, {f"{NAME}.pth": f"{ROOT / 'src'}\n".encode()})


def write_wheel(directory: str, files: dict[str, bytes]) -> str:
    info = f"{NAME}-{version()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    files[f"{info}/LICENSE"] = license_text()
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD")
    name = f"{NAME}-{version()}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            # Stored, not deflated: what zlib makes differs from one build of it to the next.
            wheel.writestr(entry, content, zipfile.ZIP_STORED)
    return name


def record(files: Mapping[str, bytes], own: str) -> bytes:
    lines: list[str] = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{own},,\n"]).encode()


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:
    """Write the source archive and return its file name."""
    top = f"{NAME}-{version()}"
    files = {"PKG-INFO": metadata().encode(), "LICENSE": license_text()}
    for path in [ROOT / "pyproject.toml", ROOT / "README.md", *sources("build_backend"), *sources("src")]:
        files[str(path.relative_to(ROOT))] = path.read_bytes()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mtime, entry.mode = len(files[name]), DATE_SECONDS, 0o644
            tar.addfile(entry, io.BytesIO(files[name]))
    name = f"{top}.tar.gz"
    with open(os.path.join(sdist_directory, name), "wb") as file:
        with gzip.GzipFile("", "wb", compresslevel=0, fileobj=file, mtime=DATE_SECONDS) as packed:
            packed.write(archive.getvalue())
    return name


def license_text() -> bytes:
    """The licence: beside the sources in an archive of them, at the top of the repository otherwise."""
    for place in (ROOT, ROOT.parent.parent):
        if (place / "LICENSE").exists():
            return (place / "LICENSE").read_bytes()
    raise FileNotFoundError("LICENSE")


def sources(directory: str) -> list[Path]:
    found = (ROOT / directory).rglob("*")
    return sorted(path for path in found if path.suffix in (".py", ".typed") and path.is_file())


def main() -> None:
    directory = sys.argv[1] if len(sys.argv) > 1 else "dist"
    os.makedirs(directory, exist_ok=True)
    for name in (build_wheel(directory), build_sdist(directory)):
        print(os.path.join(directory, name))


if __name__ == "__main__":
    main()
