# A 3D printer, which is simulated, and its server. The argument is seed, serve or state.
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import yaml

state, url = Path(os.environ["STATE"]), os.environ["URL"]
base = state / "base"
run = [sys.executable, "-m", "octoprint", "--basedir", str(base)]
KEY = "R0B0T0000000000000000000000000A1"
# Not of this house: what would ask servers elsewhere.
OFF = ["announcements", "tracking", "errortracking", "softwareupdate", "discovery", "achievements", "pi_support", "file_check", "firmware_check", "health_check"]
CONFIG = {
    "server": {
        "firstRun": False, "onlineCheck": {"enabled": False}, "pluginBlacklist": {"enabled": False},
        "commands": {"serverRestartCommand": "touch restarted", "systemShutdownCommand": "touch shut-down", "systemRestartCommand": "touch rebooted"},
        "seenWizards": {"corewizard": 4, "backup": 1, "classicwebcam": 1, "tracking": 1},
    },
    "serial": {"autoconnect": True, "port": "VIRTUAL", "baudrate": 115200},
    "plugins": {"virtual_printer": {"enabled": True, "_config_version": 1, "throttle": 0.001}, "_disabled": OFF},
    "gcodeAnalysis": {"runAt": "never"},
    "webcam": {"timelapseEnabled": True},
    "appearance": {"name": "Workshop"},
}
LAMP = '''__plugin_name__ = "Door Lamp"
__plugin_version__ = "1.0"
__plugin_description__ = "A lamp at the door that shines while the printer prints"
__plugin_pythoncompat__ = ">=3,<4"
'''


def octoprint(*words):
    subprocess.run([*run, *words], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def api(path):
    req = urllib.request.Request(url + path, headers={"X-Api-Key": KEY})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(req, timeout=5) as got:
        return json.load(got)


def seed():
    for folder in "uploads/Clients/Berg", "uploads/Empty", "data/appkeys", "plugins":
        (base / folder).mkdir(parents=True)
    (base / "config.yaml").write_text(yaml.safe_dump(CONFIG))
    for name in "bracket", "vase", "old_gear", "Clients/hinge", "Clients/Berg/lid":
        # A print that takes its time and moves nothing.
        (base / "uploads" / f"{name}.gcode").write_text(f"; {name}\n" + "G4 P300\n" * (1500 if name == "vase" else 900))
    (base / "data/appkeys/keys.yaml").write_text(yaml.safe_dump({"anna": [
        {"app_id": "Old telephone", "api_key": "A" * 32}, {"app_id": "Cura", "api_key": "B" * 32}]}))
    (base / "plugins/door_lamp.py").write_text(LAMP)
    for name, groups in ("anna", ["-g", "admins"]), ("tom", []), ("mei", []), ("robot", ["-g", "admins"]):
        octoprint("user", "add", name, "--password", "secret-9-word", *groups)
    users = yaml.safe_load((base / "users.yaml").read_text())
    users["robot"]["apikey"], users["anna"]["apikey"] = KEY, "C" * 32
    (base / "users.yaml").write_text(yaml.safe_dump(users))
    server = subprocess.Popen(serve())  # once, so that all it writes at first is written
    try:
        until = time.time() + 120
        while True:
            try:
                if api("/api/connection")["current"]["state"] == "Operational":
                    break
            except (OSError, http.client.HTTPException, ValueError):
                if time.time() > until:
                    raise
            time.sleep(0.3)
        for path in "/", "/api/files?recursive=true", "/api/settings":
            req = urllib.request.Request(url + path, headers={"X-Api-Key": KEY})
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(req, timeout=60).read()
        time.sleep(3)
    finally:
        server.terminate()
        server.wait()
    shutil.rmtree(base / "logs")


def serve():
    return [*run, "serve", "--host", "127.0.0.1", "--port", os.environ["PORT"], "--iknowwhatimdoing"]


def sent():
    """The commands that the printer got, without those that ask or wait."""
    out = []
    for log in sorted((base / "logs").glob("*serial.log")):
        for line in log.read_text(errors="replace").splitlines():
            got = re.search(r"<<< (?:N\d+\s*)?([^*]*)", line)
            if got and not re.match(r"(G4|M105|M110|M115|M155|M27|M20|M21|T\d+$)\b", got[1].strip()):
                out.append(got[1].strip())
    return out


def read():
    """What the server keeps, what the printer was told, and what it is at."""
    out = {"files": {}, "sent": sent(), "ran": [n for n in ("restarted", "shut-down", "rebooted") if (state / n).exists()]}
    for name in "config.yaml", "users.yaml", "groups.yaml", "data/appkeys/keys.yaml", "printerProfiles", "uploads", "plugins":
        for p in [base / name, *(base / name).rglob("*")]:
            at = str(p.relative_to(base))
            if p.is_dir():
                out["files"][at] = "a folder"
            elif p.is_file() and p.suffix in (".yaml", ".profile"):
                out["files"][at] = yaml.safe_load(p.read_text())
            elif p.is_file() and not p.name.startswith(".") and "__pycache__" not in at:
                out["files"][at] = p.stat().st_size
    try:
        out["printer"] = api("/api/connection")["current"]["state"]
        out["targets"] = {k: v["target"] for k, v in api("/api/printer?exclude=sd,state")["temperature"].items()} if out["printer"] not in ("Closed", "Offline") else {}
    except urllib.error.HTTPError as e:
        out["printer"] = e.code
    except (OSError, http.client.HTTPException, ValueError):
        out["printer"] = "no server"
    print(json.dumps(out))


if sys.argv[1] == "serve":
    os.execv(sys.executable, serve())
{"seed": seed, "state": read}[sys.argv[1]]()
