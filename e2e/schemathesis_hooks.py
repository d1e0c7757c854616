"""What the cases need that a schema cannot say."""

import re
import uuid

import schemathesis

GOOD = re.compile(r"[!-~]([ -~]*[!-~])?")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives every good Idempotency-Key another end: one that came with another body before is refused, and rightly."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and len(key) <= 255 and GOOD.fullmatch(key):
        end = str(uuid.uuid4())
        case.headers["Idempotency-Key"] = key + end if len(key) + len(end) <= 255 else key[: -len(end)] + end
