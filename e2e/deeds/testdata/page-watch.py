# The state of a watcher of web pages: two groups, four pages, two of them with a change.
# With "print" it says what there is now.
import glob
import hashlib
import json
import os
import sys
import time

if sys.argv[1:] == ["print"]:
    state = {}
    for path in glob.glob("**", recursive=True):
        if path.endswith(".json"):
            value = json.load(open(path))
            if path.endswith("watch.json"):
                value = {k: value.get(k) or None for k in ["url", "title", "tags", "paused", "notification_muted", "notification_urls", "notification_title"]}
            state[path] = value
        elif path.endswith((".txt", ".zip")):
            state[path] = os.path.getsize(path)
    print(json.dumps(state))
    sys.exit()


def write(path, value):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(value if isinstance(value, str) else json.dumps(value))


uid = lambda n: f"0000000{n}-0000-4000-8000-000000000000"
now = int(time.time())
shop, news = uid(8), uid(9)
write("changedetection.json", {
    "app_guid": uid(0),
    "settings": {"application": {
        "api_access_token": "a-token-of-it", "rss_access_token": "another-token", "password": False, "schema_version": 9999,
        "notification_urls": ["json://127.0.0.1:9/hook"], "notification_title": "It changed", "notification_body": "{{watch_url}}",
    }, "requests": {"time_between_check": {"weeks": 52}}, "headers": {}},
})
for tag, name in (shop, "Shops"), (news, "News"):
    write(f"{tag}/tag.json", {"uuid": tag, "title": name, "date_created": now, "processor": "restock_diff"})
for n, (title, tags, texts) in enumerate([
    ("Bread prices", [shop], ["Rye 3.20\nWheat 2.10\n", "Rye 3.40\nWheat 2.10\n"]), ("Town news", [news], ["Nothing.\n", "The bridge is closed.\n"]),
    ("Garden club", [], ["Delete all weeds.\n"]), ("Bus times", [], []),
], 1):
    write(f"{uid(n)}/watch.json", {
        "uuid": uid(n), "url": f"http://127.0.0.1:9/page{n}", "title": title, "tags": tags, "processor": "text_json_diff", "last_checked": now, "date_created": now,
        "last_viewed": 0, "time_between_check_use_default": True, "paused": n == 4, "notification_urls": ["json://127.0.0.1:9/tom"] if n == 2 else [],
    })
    for i, text in enumerate(texts):
        name = hashlib.md5(text.encode()).hexdigest() + ".txt"
        write(f"{uid(n)}/{name}", text)
        with open(f"{uid(n)}/history.txt", "a") as f:
            f.write(f"{now - 1000 + 100 * i},{name}\n")
