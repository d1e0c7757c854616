"""Adjusts generated cases where a schema cannot express a rule."""

import re
import uuid

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")

GOOD = re.compile(r"[!-~]([ -~]*[!-~])?")


@schemathesis.hook
def filter_case(context, case):
    """Leaves out cases whose only fault is an undocumented header: proxies add some, and servers ignore them."""
    return "x-schemathesis-unknown-property" not in {name.lower() for name in case.headers or {}}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes every valid Idempotency-Key unique: reusing one with another body is rightly refused."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and len(key) <= 255 and GOOD.fullmatch(key):
        end = str(uuid.uuid4())
        case.headers["Idempotency-Key"] = key + end if len(key) + len(end) <= 255 else key[: -len(end)] + end
