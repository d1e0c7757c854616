"""From photos in a folder to the media of a listing: listing.py FOLDER [ARCHIVE.zip]

All photos are enhanced. Those of empty rooms are staged, too: name them like `07-bedroom-empty.jpg`.
"""

import collections
import json
import os
import pathlib
import re
import sys
import time
import uuid

import httpx
from aerie_client import AuthenticatedClient
from aerie_client.api.listings import create_listing, generate_listing, get_listing
from aerie_client.models import ListingRequest, ErrorEnvelope, ListingGenerateRequest

PHOTOS = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


def data(answer):
    """Returns the data of a response; exits with the error if the request was refused."""
    if answer is None or isinstance(answer, ErrorEnvelope):
        sys.exit(f"refused: {answer and answer.error.code}: {answer and answer.error.message}")
    return answer.data


def upload(photo):
    """Uploads a photo; returns the address that stands for its URL."""
    answer = aerie.get_httpx_client().post(
        "/v1/uploads",
        params={"filename": photo.name},
        headers={"Content-Type": PHOTOS[photo.suffix.lower()]},
        content=photo.read_bytes(),
        timeout=300,
    )
    if answer.is_error:
        sys.exit(f"{photo.name}: {answer.json()['error']['message']}")
    return answer.json()["data"]["image_url"]


def listed(photo):
    """Uploads a photo; returns it as the photo of a listing."""
    room = photo.stem.split("-")[1:]
    described = {"room_type": room[0], "empty": True} if room[1:] == ["empty"] else {}
    title = re.sub(r"^\d+[-_ ]+", "", photo.stem)
    return {"image_url": upload(photo), "title": title} | described


def events(last_id):
    """Yields type, data and position of the events after a position; begins with `ready`."""
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
    with aerie.get_httpx_client().stream("GET", "/v1/events", headers=headers, timeout=60) as answer:
        if answer.is_error:
            answer.read()
            sys.exit(f"events: {answer.json()['error']['message']}")
        event = {}
        for line in answer.iter_lines():
            if not line and event:
                yield event.get("event"), json.loads(event.get("data", "{}")), event.get("id")
                event = {}
            elif line and not line.startswith(":"):
                field, _, value = line.partition(":")
                event[field] = value.removeprefix(" ")


def follow(job_ids, position):
    """Follows jobs until all have ended, connecting again where the connection is lost."""
    open_jobs = set(job_ids)
    while open_jobs:
        try:
            for kind, event, last_id in events(position):
                position = last_id or position
                if kind in ("ready", "events.missed"):
                    # Some may have ended while nothing was followed.
                    jobs = data(get_listing.sync(listing_id, client=aerie)).jobs
                    open_jobs -= {job.job_id for job in jobs if job.status in ("completed", "failed")}
                elif kind in ("job.completed", "job.failed"):
                    open_jobs.discard(uuid.UUID(event["data"]["job_id"]))
                if not open_jobs:
                    return
        except httpx.TransportError as error:
            print(f"connecting again: {error}", file=sys.stderr)
        time.sleep(1)


aerie = AuthenticatedClient(
    base_url=os.environ.get("AERIE_URL", "http://127.0.0.1:8080"),
    token=os.environ["AERIE_KEY"],
    auth_header_name="X-API-Key",
    prefix="",
    timeout=httpx.Timeout(300),
)
folder = pathlib.Path(sys.argv[1])
archive = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "listing.zip")
photos = sorted(photo for photo in folder.iterdir() if photo.suffix.lower() in PHOTOS)
if not photos:
    sys.exit(f"no photos in {folder}")

uploads = [listed(photo) for photo in photos]
print(f"uploaded: {len(uploads)} photos")
body = ListingRequest.from_dict({"reference": str(uuid.uuid4()), "photos": uploads})
listing_id = data(create_listing.sync(client=aerie, body=body)).listing_id

work = {"enhance": True} | ({"stage": True} if any("empty" in photo for photo in uploads) else {})
work = ListingGenerateRequest.from_dict(work)
price = data(generate_listing.sync(listing_id, client=aerie, body=work, dry_run=True)).total_price_cents
print(f"price: {price} cents")
# Sent again with the same key, the request takes effect once.
key = str(uuid.uuid4())
jobs = data(generate_listing.sync(listing_id, client=aerie, body=work, idempotency_key=key)).jobs
follow([job.job_id for job in jobs], None)

done = data(get_listing.sync(listing_id, client=aerie)).jobs
print("jobs:", ", ".join(f"{count} {status}" for status, count in collections.Counter(str(job.status) for job in done).items()))
with aerie.get_httpx_client().stream("GET", f"/v1/listings/{listing_id}/archive", timeout=300) as answer:
    if answer.is_error:
        answer.read()
        sys.exit(f"archive: {answer.json()['error']['message']}")
    with archive.open("wb") as file:
        for part in answer.iter_bytes():
            file.write(part)
print(f"archive: {archive}, {archive.stat().st_size} bytes")
