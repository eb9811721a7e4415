# A bakery's customers and orders, with views, people, webhooks and keys, before NocoDB.
# The argument is seed or serve.
import json
import os
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

state, app, url = os.environ["STATE"], os.environ["APP"], os.environ["URL"]
run = ["node", os.environ["DATA"] + "/nocodb.js"]
env = {
    **os.environ, "NC_DB": f"sqlite3:///?database={state}/noco.db", "NC_PUBLIC_URL": url, "NC_DISABLE_TELE": "true", "NC_TOOL_DIR": state,
    "NC_ADMIN_EMAIL": "anna@example.com", "NC_ADMIN_PASSWORD": "secret-9-word", "NC_REFRESH_TOKEN_EXP_IN_DAYS": "30",
}


class Client:
    """Speaks to its API as the owner."""

    def __init__(self):
        self.token = ""
        self.open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def send(self, path, body):
        req = urllib.request.Request(f"{url}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json", "xc-auth": self.token})
        with self.open(req) as r:
            got = r.read()
        return json.loads(got) if got[:1] in (b"{", b"[") else None

    def post(self, path, **fields):
        return self.send(path, fields)


def seed():
    sqlite = f"{app}/npm/node_modules/sqlite3"
    if not os.path.exists(f"{sqlite}/build/Release/node_sqlite3.node"):  # no script of a package ran when it was installed
        subprocess.run(["npm", "rebuild", "--silent", "--prefix", f"{app}/npm", "sqlite3"], check=True)
    with open("seed.log", "w") as log:
        server = subprocess.Popen(run, env=env, stdout=log, stderr=log)
    api = Client()
    for _ in range(600):
        try:
            api.token = api.post("v1/auth/user/signin", email="anna@example.com", password="secret-9-word")["token"]
            break
        except (urllib.error.URLError, ConnectionError):
            if server.poll() is not None:
                raise
            time.sleep(0.2)
    ids = fill(api)
    server.terminate()
    server.wait()
    rename(ids)


def column(title, kind, **more):
    return {"column_name": title.lower(), "title": title, "uidt": kind, **more}


def choice(title, *words):
    return column(title, "SingleSelect", colOptions={"options": [{"title": w, "color": "#cfdffe", "order": i} for i, w in enumerate(words, 1)]})


def fill(api):
    """Returns the ids of what was made, by the names that they get."""
    ids = {}

    def table(name, base, columns, rows):
        made = api.post(f"v2/meta/bases/{base}/tables", table_name=name, title=name.capitalize(),
                        columns=[{"column_name": "id", "title": "Id", "uidt": "ID", "pk": True, "ai": True}, *columns])
        api.send(f"v2/tables/{made['id']}/records", rows)
        ids[f"m{name}"] = made["id"]
        ids[f"v{name}grid"] = made["views"][0]["id"]
        return made

    base = ids["pbakery"] = api.post("v2/meta/bases", title="Bakery")["id"]
    old = ids["poldbakery"] = api.post("v2/meta/bases", title="Market stall")["id"]
    customers = table("customers", base, [
        column("Name", "SingleLineText", pv=True), column("Email", "Email"), column("Phone", "PhoneNumber"),
        choice("Status", "New", "Regular", "Gone"), column("Notes", "LongText"), column("VIP", "Checkbox"),
    ], [
        {"Name": "Ida Lind", "Email": "ida@example.com", "Phone": "+46 8 123", "Status": "Regular", "Notes": "No nuts", "VIP": True},
        {"Name": "Tom Becker", "Email": "tom@example.com", "Phone": "+49 30 456", "Status": "New", "Notes": "Pays by card"},
        {"Name": "Mei Chen", "Email": "mei@example.com", "Phone": "+65 789", "Status": "Regular", "Notes": "Every Friday"},
        {"Name": "Old Mill Inn", "Email": "inn@example.com", "Phone": "+44 20 111", "Status": "Gone", "Notes": ""},
    ])
    orders = table("orders", base, [
        column("Item", "SingleLineText", pv=True), column("Pieces", "Number"), column("Due", "Date"), choice("State", "Open", "Baked", "Delivered"),
    ], [
        {"Item": "Rye bread", "Pieces": 40, "Due": "2026-03-02", "State": "Open"},
        {"Item": "Croissants", "Pieces": 120, "Due": "2026-03-01", "State": "Open"},
        {"Item": "Wedding cake", "Pieces": 1, "Due": "2026-04-12", "State": "Baked"},
    ])
    table("stalls", old, [column("Place", "SingleLineText", pv=True)], [{"Place": "Harbour"}])
    c, o = customers["id"], orders["id"]
    status = next(x["id"] for x in customers["columns"] if x["title"] == "Status")
    ids["vwregulars"] = api.post(f"v2/meta/tables/{c}/grids", title="Regulars")["id"]
    ids["vwcards"] = api.post(f"v2/meta/tables/{c}/galleries", title="Cards")["id"]
    ids["vwboard"] = api.post(f"v2/meta/tables/{c}/kanbans", title="Board", fk_grp_col_id=status)["id"]
    ids["vwsignup"] = api.post(f"v2/meta/tables/{c}/forms", title="Sign-up form")["id"]
    ids["vwduelist"] = api.post(f"v2/meta/tables/{o}/grids", title="For the shop")["id"]
    api.post(f"v2/meta/views/{ids['vwduelist']}/share")
    ids["hkbaker"] = api.post(f"v2/meta/tables/{o}/hooks", title="Tell the oven", event="after", operation="insert", version="v2", active=True, notification={
        "type": "URL", "payload": {"method": "POST", "body": "{{ json data }}", "headers": [{}], "parameters": [{}], "path": "http://127.0.0.1:79/oven"}})["id"]
    for email, role in (("bob@example.org", "editor"), ("eve@example.org", "viewer")):
        api.post(f"v2/meta/bases/{base}/users", email=email, roles=role)
    api.post("v2/meta/comments", row_id="1", fk_model_id=c, comment="Asked for a bigger loaf")
    api.post("v1/tokens", description="Till in the shop")
    return ids


def rename(ids):
    """Gives what was made ids that stay."""
    with sqlite3.connect("noco.db") as db:
        for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for _, name, kind, *_ in db.execute(f'PRAGMA table_info("{table}")').fetchall():
                if "int" in kind.lower():
                    continue
                for new, old in ids.items():
                    db.execute(f'UPDATE "{table}" SET "{name}" = replace("{name}", ?, ?) WHERE instr("{name}", ?)', [old, new, old])


def serve():
    os.execvpe(run[0], run, env)


{"seed": seed, "serve": serve}[sys.argv[1]]()
