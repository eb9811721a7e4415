# A magazine with posts, pages, members and staff, before Ghost. The argument is seed or serve.
import datetime
import http.cookiejar
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

state, app, url = os.environ["STATE"], os.environ["APP"], os.environ["URL"]
ghost = f"{app}/npm/node_modules/ghost"
run = ["node", f"{ghost}/index.js"]
env = {**os.environ, "NODE_ENV": "production"}


def configure():
    """The file it reads at its start; the port is another each time."""
    nobody = {"baseUrl": "http://127.0.0.1:9/v3", "domain": "mail.example", "apiKey": "key"}
    with open("config.production.json", "w") as f:
        json.dump({
            "url": url, "server": {"host": "127.0.0.1", "port": int(os.environ["PORT"])},
            "database": {"client": "sqlite3", "connection": {"filename": f"{state}/content/data/ghost.db"}, "useNullAsDefault": True},
            "paths": {"contentPath": f"{state}/content"}, "mail": {"transport": "stub"}, "bulkEmail": {"mailgun": nobody},
            "privacy": {"useUpdateCheck": False, "useGravatar": False, "useRpcPing": False, "useStructuredData": False},
            "logging": {"level": "error", "transports": ["stdout"]}, "imageOptimization": {"resize": False},
        }, f)


class Client:
    """Speaks to its API as the owner."""

    def __init__(self):
        self.open = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())).open

    def post(self, path, body):
        raw = json.dumps(body).encode()
        req = urllib.request.Request(f"{url}/ghost/api/admin/{path}/", raw, {"Content-Type": "application/json", "Origin": url})
        with self.open(req) as r:
            got = r.read()
        return json.loads(got) if got[:1] == b"{" else None

    def add(self, kind, **fields):
        return self.post(kind, {kind: [fields]})[kind][0]["id"]


def seed():
    for name in ("data", "images", "files", "media", "logs", "settings", "public", "themes"):
        os.makedirs(f"content/{name}")
    shutil.copytree(f"{ghost}/content/themes/casper", "content/themes/casper")
    os.symlink(f"{ghost}/package.json", "package.json")  # its version is looked for where it runs
    configure()
    with open("seed.log", "w") as log:
        server = subprocess.Popen(run, env=env, stdout=log, stderr=log)
    api = Client()
    for _ in range(600):
        try:
            api.post("authentication/setup", {"setup": [{"name": "Anna Berg", "email": "anna@example.com", "password": "secret-9-word", "blogTitle": "The Garden"}]})
            break
        except (urllib.error.URLError, ConnectionError) as e:
            if isinstance(e, urllib.error.HTTPError) and e.code < 500 or server.poll() is not None:
                raise
            time.sleep(0.2)
    api.post("session", {"username": "anna@example.com", "password": "secret-9-word"})
    ids = fill(api)
    server.terminate()
    server.wait()
    rename(ids)


def fill(api):
    """Returns the ids of what was made, in an order that stays."""
    soon = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    tag = api.add("tags", name="Roses", slug="roses", description="All about roses")
    ids = [
        api.add("posts", title="Spring letter", status="draft"),
        api.add("posts", title="Pruning", status="published", tags=[{"id": tag}]),
        api.add("posts", title="Autumn sale", status="scheduled", published_at=soon),
        api.add("pages", title="Opening hours", status="draft"),
        api.add("pages", title="About us", status="published"),
        api.add("members", name="Ida Lind", email="ida@example.com", labels=[{"name": "Friends"}]),
        api.add("members", name="Tom Becker", email="tom@example.com", labels=[{"name": "Friends"}]),
        api.add("members", name="Mei Chen", email="mei@example.com"),
    ]
    ids.append(api.add("integrations", name="Weather board"))
    ids.append(api.add("webhooks", name="Rebuild", event="post.published", target_url="https://build.example/hook", integration_id=ids[-1]))
    ids.append(api.add("newsletters", name="Flower post", status="active", subscribe_on_signup=True))
    with sqlite3.connect("content/data/ghost.db") as db:
        roles = dict(db.execute("SELECT name, id FROM roles"))
    for name, role in (("Bob Stone", "Editor"), ("Eve Hill", "Author"), ("Lee Park", "Administrator")):
        email = name.split()[0].lower() + "@example.org"
        api.add("invites", email=email, role_id=roles[role])
        if name == "Eve Hill":
            continue  # she has not answered yet
        with sqlite3.connect("content/data/ghost.db") as db:
            token, = db.execute("SELECT token FROM invites WHERE email = ?", [email]).fetchone()
        api.post("authentication/invitation", {"invitation": [{"name": name, "email": email, "password": "another-9-word", "token": token}]})
    return ids


def rename(ids):
    """Gives what was made ids that stay: its number after 24 - 2 fives."""
    with sqlite3.connect("content/data/ghost.db") as db:
        for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in [c[1] for c in db.execute(f'PRAGMA table_info("{table}")') if c[1] == "id" or c[1].endswith("_id")]:
                for i, old in enumerate(ids, 1):
                    db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" = ?', ["5" * 22 + f"{i:02}", old])


def serve():
    configure()
    os.execvpe(run[0], run, env)


{"seed": seed, "serve": serve}[sys.argv[1]]()
