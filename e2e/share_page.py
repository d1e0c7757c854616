"""Reviews a shared listing in a browser: see share_page.sh."""

import json
import os
import sys
import time
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

URL, KEY = os.environ["AERIE_URL"], os.environ["AERIE_KEY"]


def call(method, path, body=None, content_type="application/json"):
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    headers = {"X-API-Key": KEY, "Content-Type": content_type}
    request = urllib.request.Request(URL + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request) as response:
        text = response.read()
        return json.loads(text)["data"] if text else None


def listing_with_results(photo):
    upload = call("POST", "/v1/uploads", photo, "image/jpeg")["image_url"]
    photos = [
        {"id": "front", "image_url": upload, "title": "Street <b>front</b>"},
        {"id": "kitchen", "image_url": upload, "room_type": "kitchen"},
    ]
    listing = call("POST", "/v1/listings", {"address": "1 Main St", "photos": photos})["listing_id"]
    call("POST", f"/v1/listings/{listing}/generate", {"enhance": True, "photos": ["front"]})
    for _ in range(600):
        jobs = call("GET", f"/v1/listings/{listing}")["jobs"]
        assert all(job["status"] != "failed" for job in jobs), jobs
        if all(job["status"] == "completed" for job in jobs):
            return listing
        time.sleep(0.2)
    raise SystemExit(f"the photo is not enhanced: {jobs}")


def check_accessibility(page, what):
    found = Axe().run(page).response["violations"]
    serious = [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]
    assert not serious, f"{what}: {serious}"
    print(f"{what}: {len(found)} minor findings of axe, none serious")


def review(browser, url):
    # As the policy of the page says, it has no scripts; the context allows none either.
    page = browser.new_context(java_script_enabled=False).new_page()
    problems = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("response", lambda response: problems.append(response.url) if response.status >= 400 else None)
    assert page.goto(url).status == 200
    front = page.locator("#photo-front")
    assert "Street <b>front</b>" in front.inner_text()
    image = front.locator("img")
    image.scroll_into_view_if_needed()
    image.wait_for()
    width = None
    for _ in range(50):
        width = image.bounding_box()["width"]
        if width > 100:
            break
        time.sleep(0.1)
    assert width > 100, width
    front.get_by_label("Your name").first.fill("Maria Miller")
    front.get_by_role("button", name="Approve").click()
    page.wait_for_url("**#photo-front")
    assert "Approved by Maria Miller" in page.locator("#photo-front").inner_text()
    assert "1 approved, 0 rejected" in page.locator("header").inner_text()
    page.locator("#photo-kitchen").get_by_role("button", name="Reject").click()
    assert "Rejected" in page.locator("#photo-kitchen").inner_text()
    last = page.locator("section").last
    last.get_by_label("Your name").fill("Maria Miller")
    last.get_by_label("Comment").fill("First line\n<script>alert(1)</script>")
    last.get_by_role("button", name="Send the comment").click()
    page.wait_for_url("**#comments")
    assert "<script>alert(1)</script>" in page.locator(".comments").inner_text()
    kitchen = page.locator("#photo-kitchen")
    kitchen.locator("summary").click()
    kitchen.locator(".comment").get_by_label("Your name").fill("M")
    kitchen.locator(".comment").get_by_label("Comment").fill("Brighter, please")
    kitchen.get_by_role("button", name="Send the comment").click()
    page.wait_for_url("**#photo-kitchen")
    assert "Brighter, please" in page.locator("#photo-kitchen").inner_text()
    assert not problems, problems


def main():
    with open(sys.argv[1], "rb") as file:
        listing = listing_with_results(file.read())
    link = call("POST", f"/v1/listings/{listing}/share-links", {"name": "The sellers"})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
        review(browser, link["url"])
        # axe is a script, which the policy of the page would refuse.
        page = browser.new_context(bypass_csp=True).new_page()
        page.goto(link["url"])
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        check_accessibility(page, "the page")
        if len(sys.argv) > 2:
            page.screenshot(path=sys.argv[2], full_page=True)
        call("DELETE", f"/v1/listings/{listing}/share-links/{link['share_link_id']}")
        assert page.goto(link["url"]).status == 410
        check_accessibility(page, "the page of a revoked link")
        browser.close()
    said = call("GET", f"/v1/listings/{listing}/reviews")
    decisions = {each["photo_id"]: each["decision"] for each in said if each["decision"]}
    assert decisions == {"front": "approved", "kitchen": "rejected"}, said
    assert sorted(each["text"] for each in said if each["text"])[0] == "Brighter, please", said
    print("a shared listing is reviewed in the browser")


main()
