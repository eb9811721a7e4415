# Prints what a browser that opens each budget of Actual's server would find in it: the file that was
# stored, and the messages that came after it. And what the server itself keeps. A browser tells the server
# some time after the act, or when the page is loaded again: nothing may have come from it for a while.
import io
import json
import os
import re
import sqlite3
import tempfile
import time
import zipfile

data = os.environ["STATE"]


def query(path, sql):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
    db.row_factory = sqlite3.Row
    try:
        return [dict(r) for r in db.execute(sql)]
    finally:
        db.close()


def fields(raw):
    """The texts of a message of protocol buffers, by their numbers."""
    found, at = {}, 0

    def number():
        nonlocal at
        n = shift = 0
        while True:
            b = raw[at]
            at += 1
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n

    while at < len(raw):
        key = number()
        size = number()  # of a text, as all these fields are
        found[key >> 3] = raw[at:at + size].decode()
        at += size
    return found


def value(text):
    kind, _, rest = text.partition(":")
    return None if kind == "0" else float(rest) if kind == "N" else rest


def plain(v):
    return float(v) if isinstance(v, (int, float)) else v


LOCAL = re.compile("^(sqlite_|__|messages_|kvcache|db_version|created_budgets|schedules_json_paths|pending_transactions)")


def tables(blob):
    """The tables of a stored budget: rows by their ids."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as f:
        f.write(zipfile.ZipFile(io.BytesIO(blob)).read("db.sqlite"))
        f.flush()
        got = {}
        for t in query(f.name, "SELECT name FROM sqlite_master WHERE type = 'table'"):
            if not LOCAL.match(t["name"]):
                rows = query(f.name, f'SELECT * FROM "{t["name"]}"')
                got[t["name"]] = {str(r.pop("id", i)): {k: plain(v) for k, v in r.items() if v is not None} for i, r in enumerate(rows)}
        return got


def budget(file):
    with open(f"{data}/user-files/file-{file['id']}.blob", "rb") as f:
        blob = f.read()
    locked = bool(file["encrypt_meta"])
    got = {"bytes": len(blob)} if locked else tables(blob)
    group = f"{data}/user-files/group-{file['group_id']}.sqlite"
    messages = query(group, "SELECT * FROM messages_binary ORDER BY timestamp") if os.path.exists(group) else []
    if locked:
        return {**got, "messages": len(messages)}
    for m in messages:
        said = fields(bytes(m["content"]))
        row = got.setdefault(said[1], {}).setdefault(said[2], {})
        v = value(said.get(4, "0:"))
        row.pop(said[3], None)
        if v is not None:
            row[said[3]] = v
    return got


QUIET, MOST = 3, 15  # seconds

until = time.time() + MOST
while time.time() < until and time.time() - os.stat(f"{data}/heard").st_mtime < QUIET:
    time.sleep(0.1)

files = query(f"{data}/server-files/account.sqlite", "SELECT * FROM files")
state = {t: query(f"{data}/server-files/account.sqlite", f"SELECT * FROM {t}") for t in ("auth", "users", "secrets", "server_prefs")}
for f in files:
    kept = {k: f[k] for k in ("name", "encrypt_salt", "encrypt_test", "encrypt_keyid", "deleted", "owner")}
    state[f"{f['name']} {f['id'][:4]}"] = {**kept, **({} if f["deleted"] else budget(f))}
print(json.dumps(state))
