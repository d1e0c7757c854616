"""A boundary and a film of it, with the client that openapi-python-client generates: markup.py [ADDRESS]"""

import functools
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import httpx
from aerie_client import AuthenticatedClient
from aerie_client.api.jobs import get_job
from aerie_client.api.markup import annotate_markup, get_markup, select_markup, submit_markup, submit_markup_video
from aerie_client.models import (
    AnnotateRequest,
    ErrorEnvelope,
    JobStatus,
    MarkupRequest,
    MarkupVideoOptions,
    MarkupVideoRequest,
    SelectRequest,
)


def data(answer):
    """The data of an answer; ends with what was refused."""
    if answer is None or isinstance(answer, ErrorEnvelope):
        sys.exit(f"refused: {answer and answer.error.code}: {answer and answer.error.message}")
    return answer.data


def ended(show, job_id):
    """Polls a job until it waits for us or has ended."""
    while True:
        job = data(show.sync(job_id, client=aerie))
        if job.status == JobStatus.FAILED:
            sys.exit(f"failed: {job.output['error']}")
        if job.status not in (JobStatus.QUEUED, JobStatus.RUNNING):
            return job
        time.sleep(1)


def draw(clean_url, folder):
    """Stands in for whoever draws."""
    (folder / "clean.jpg").write_bytes(httpx.get(clean_url).raise_for_status().content)
    box = "drawbox=x=674:y=724:w=700:h=600:color=red:t=8"
    subprocess.run(["ffmpeg", "-v", "error", "-i", folder / "clean.jpg", "-vf", box, folder / "drawn.png"], check=True)


def serve(folder):
    """Stands in for where drawn pictures lie; the address of it."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


aerie = AuthenticatedClient(
    base_url=os.environ.get("AERIE_URL", "http://127.0.0.1:8080"),
    token=os.environ["AERIE_KEY"],
    auth_header_name="X-API-Key",
    prefix="",
    timeout=httpx.Timeout(60),
)
address = sys.argv[1] if len(sys.argv) > 1 else "12 Larkspur Lane, 10001 Featherstone Vale"

job_id = data(submit_markup.sync(client=aerie, body=MarkupRequest(address=address))).job_id
variants = ended(get_markup, job_id).output["orientation_variants"]
print("choose of:", ", ".join(variant["key"] for variant in variants))
clean_url = data(select_markup.sync(job_id, client=aerie, body=SelectRequest(orientation="bottom"))).selected_url

folder = pathlib.Path(tempfile.mkdtemp())
draw(clean_url, folder)
marked = AnnotateRequest(annotated_image_url=serve(folder) + "/drawn.png", clean_image_url=clean_url)
data(annotate_markup.sync(job_id, client=aerie, body=marked))
boundary = data(get_markup.sync(job_id, client=aerie)).output["boundary"]
print("boundary:", boundary["properties"]["area_m2"], "m²")

options = MarkupVideoOptions.from_dict({"duration": 6, "resolution": "720p"})
video_id = data(submit_markup_video.sync(job_id, client=aerie, body=MarkupVideoRequest(options=options))).job_id
video_url = ended(get_job, video_id).output["video_url"]
pathlib.Path("markup.mp4").write_bytes(httpx.get(video_url).raise_for_status().content)
print("markup.mp4")
