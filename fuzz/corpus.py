#!/usr/bin/env python3
"""Packs corpora, thousands of small files, into one archive for each target, and unpacks them.

    fuzz/corpus.py unpack|pack FOLDER [TARGET...]      between fuzz/corpus/TARGET.zip and FOLDER/TARGET; all targets without one

Equal files give an equal archive.
"""

import sys
import zipfile
from pathlib import Path

ARCHIVES = Path(__file__).parent / "corpus"


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("unpack", "pack"):
        sys.exit(__doc__)
    command, folder = sys.argv[1], Path(sys.argv[2])
    if command == "unpack":
        for name in sys.argv[3:] or sorted(archive.stem for archive in ARCHIVES.glob("*.zip")):
            with zipfile.ZipFile(ARCHIVES / f"{name}.zip") as archive:
                archive.extractall(folder / name)
        return
    for name in sys.argv[3:] or sorted(path.name for path in folder.iterdir()):
        with zipfile.ZipFile(ARCHIVES / f"{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for file in sorted((folder / name).iterdir()):
                # Without the time of the file.
                archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)


main()
