"""Uploads a photo in parts by an independent client of the tus protocol, which is replaced by a new one halfway."""

import hashlib
import os
import pathlib
import sys

import httpx
from tusclient.client import TusClient

photo = pathlib.Path(sys.argv[1])
size = photo.stat().st_size
headers = {"X-API-Key": os.environ["AERIE_KEY"]}
tus = TusClient(os.environ["AERIE_URL"] + "/v1/uploads", headers=headers)
part = size // 5 + 1
first = tus.uploader(str(photo), chunk_size=part, metadata={"filename": photo.name})
first.upload_chunk()
first.upload_chunk()
second = tus.uploader(str(photo), chunk_size=part, url=first.url)
assert second.offset == 2 * part, f"continues at {second.offset}"
second.upload()
upload = httpx.get(first.url, headers=headers).json()["data"]
assert upload["status"] == "complete" and upload["filename"] == photo.name, upload
assert upload["sha256"] == hashlib.sha256(photo.read_bytes()).hexdigest(), "other bytes arrived"
print(f"tus: uploaded {size} bytes in parts, by two clients")
