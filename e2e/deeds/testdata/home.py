# A house with lamps, locks, an alarm and a garage. The argument is seed, serve or state.
import asyncio
import json
import os
import subprocess
import sys
import time

import aiohttp

state, url, doing = os.environ["STATE"], os.environ["URL"], sys.argv[1]
run = [sys.executable, "-m", "homeassistant", "--skip-pip", "-c", state]
AGAIN = 100  # what it ends with when it wants to be started again


def configuration(users=""):
    """The file it reads at its start; the port is another each time."""
    with open("configuration.yaml", "w") as f:
        f.write(f"""homeassistant:
  name: House
  country: NL
  currency: EUR
  time_zone: UTC
  latitude: 52.1
  longitude: 4.3
  auth_providers:
    - type: trusted_networks
      trusted_networks: [127.0.0.1]
      allow_bypass_login: true
{users}    - type: homeassistant
http:
  server_host: 127.0.0.1
  server_port: {os.environ["PORT"]}
frontend:
config:
demo:
history:
logbook:
person:
tag:
backup:
automation: !include automations.yaml
script: !include scripts.yaml
scene: !include scenes.yaml
""")


class Socket:
    """Asks over the web socket, one question after the other."""

    def __init__(self, ws):
        self.ws, self.n = ws, 0

    async def ask(self, kind, **more):
        self.n += 1
        await self.ws.send_json({"id": self.n, "type": kind, **more})
        while True:
            got = await self.ws.receive_json()
            if got.get("id") == self.n and got["type"] == "result":
                if not got["success"]:
                    raise RuntimeError(f"{kind}: {got['error']}")
                return got["result"]


async def talk(token, use):
    async with aiohttp.ClientSession() as client, client.ws_connect(url + "/api/websocket", max_msg_size=0) as ws:
        await ws.receive_json()
        await ws.send_json({"type": "auth", "access_token": token})
        await ws.receive_json()
        return await use(Socket(ws))


async def seed(s, token):
    with open("token", "w") as f:
        f.write(await s.ask("auth/long_lived_access_token", client_name="The weather board", lifespan=3650))
    await s.ask("auth/long_lived_access_token", client_name="Old telephone", lifespan=3650)
    await s.ask("frontend/set_user_data", key="core", value={"showAdvanced": True})
    people = {}
    for name, group in ("Tom Becker", "system-users"), ("Mei Chen", "system-admin"):
        user = (await s.ask("config/auth/create", name=name, group_ids=[group]))["user"]
        people[name] = user["id"]
        word = name.split()[0].lower()
        await s.ask("config/auth_provider/homeassistant/create", user_id=user["id"], username=word, password="Secret-9-word")
        await s.ask("person/create", name=name, user_id=user["id"], device_trackers=[])
    await s.ask("config/area_registry/create", name="Attic")
    await s.ask("zone/create", name="Work", icon="mdi:briefcase", latitude=52.2, longitude=4.4, radius=100, passive=False)
    await s.ask("input_boolean/create", name="Holiday", icon="mdi:beach")
    await s.ask("counter/create", name="Parcels")
    await s.ask("tag/create", tag_id="door-tag", name="Front door")
    await s.ask("backup/generate")
    flow = "/api/config/config_entries/flow"
    form = await post(flow, json={"handler": "shopping_list"}, headers={"Authorization": "Bearer " + token})
    await post(flow + "/" + form["flow_id"], json={}, headers={"Authorization": "Bearer " + token})
    for item in "Bread", "Apples", "Paint for the fence":
        await s.ask("call_service", domain="shopping_list", service="add_item", service_data={"name": item})
    await s.ask("call_service", domain="shopping_list", service="complete_item", service_data={"name": "Apples"})
    await s.ask("call_service", domain="persistent_notification", service="create", service_data={"title": "Filter", "message": "Clean the filter of the heat pump."})
    await s.ask("lovelace/dashboards/create", url_path="old-board", title="Old board", icon="mdi:view-dashboard", show_in_sidebar=True, require_admin=False, mode="storage")
    await s.ask("lovelace/config/save", config={"title": "House", "views": [
        {"title": "Home", "path": "home", "cards": [
            {"type": "entities", "title": "Lamps", "entities": ["light.ceiling_lights", "light.kitchen_lights", "light.bed_light", "switch.decorative_lights"]},
            {"type": "entities", "title": "Doors", "show_header_toggle": False, "entities": ["lock.front_door", "lock.kitchen_door", "cover.garage_door", "cover.hall_window"]},
            {"type": "entities", "title": "More", "show_header_toggle": False, "entities": [
                "automation.close_the_garage_at_night", "script.let_the_cleaner_in", "siren.siren_with_all_features", "input_boolean.holiday", "vacuum.0_ground_floor", "water_heater.demo_water_heater"]},
            {"type": "todo-list", "entity": "todo.shopping_list"},
        ]},
        {"title": "Safety", "path": "safety", "cards": [
            {"type": "alarm-panel", "entity": "alarm_control_panel.security", "states": ["arm_home", "arm_away"]},
            {"type": "button", "entity": "lock.front_door", "name": "Front", "show_state": True, "tap_action": {"action": "toggle"}},
            {"type": "button", "entity": "cover.garage_door", "name": "Garage", "show_state": True, "tap_action": {"action": "toggle"}},
            {"type": "button", "entity": "light.bed_light", "name": "Bed", "show_state": True, "tap_action": {"action": "toggle"}},
            {"type": "button", "entity": "script.let_the_cleaner_in", "name": "Cleaner", "tap_action": {"action": "toggle"}},
            *({"type": "tile", "entity": e, "icon_tap_action": {"action": "toggle"}} for e in ("lock.front_door", "cover.garage_door", "light.kitchen_lights")),
        ]},
        {"title": "Rooms", "path": "rooms", "cards": [
            {"type": "thermostat", "entity": "climate.heatpump"},
            {"type": "light", "entity": "light.bed_light"},
            {"type": "media-control", "entity": "media_player.living_room"},
            {"type": "history-graph", "entities": ["light.bed_light"]},
            {"type": "logbook", "entities": ["lock.front_door"]},
        ]},
    ]})


async def post(path, **send):
    async with aiohttp.ClientSession() as client:
        async with client.post(url + path, **send) as got:
            got.raise_for_status()
            return await got.json()


async def first():
    """Makes the owner, and everything else with the owner's token."""
    until = time.time() + 60
    while True:
        try:
            owner = await post("/api/onboarding/users", json={"client_id": url + "/", "name": "Ida Lind", "username": "ida", "password": "Secret-9-word", "language": "en"})
            break
        except (aiohttp.ClientError, OSError):
            if time.time() > until:
                raise
            await asyncio.sleep(0.2)
    token = (await post("/auth/token", data={"client_id": url + "/", "grant_type": "authorization_code", "code": owner["auth_code"]}))["access_token"]

    async def use(s):
        await asyncio.sleep(3)  # until its parts are there
        await seed(s, token)
        return (await s.ask("auth/current_user"))["id"]

    return await talk(token, use)


async def everything(s):
    out = {"config": await s.ask("get_config"), "dashboard": await s.ask("lovelace/config", url_path=None)}
    for kind in (
        "config/auth/list", "auth/refresh_tokens", "config/area_registry/list", "config/device_registry/list", "config/entity_registry/list", "zone/list", "person/list",
        "tag/list", "input_boolean/list", "counter/list", "lovelace/dashboards/list", "backup/info", "config_entries/get", "shopping_list/items", "persistent_notification/get", "logger/log_info",
    ):
        got = await s.ask(kind)
        if kind == "auth/refresh_tokens":
            got = [t for t in got if t["client_id"] != url + "/"]  # the browser has another each time
        out[kind] = got
    # What changes by itself is left out.
    alone = "sun.", "weather.", "image_processing.", "calendar.", "camera.", "event.", "conversation."
    out["states"] = {e["entity_id"]: [e["state"], {k: v for k, v in e["attributes"].items() if "token" not in k and "picture" not in k and "position_updated" not in k}]
                     for e in await s.ask("get_states") if not e["entity_id"].startswith(alone)}
    return out


if doing == "serve":
    with open("owner") as f:
        configuration(f"      trusted_users:\n        127.0.0.1: {f.read()}\n")
    while True:
        with open("starts", "a") as f:
            f.write("a start\n")
        code = subprocess.run(run).returncode
        if code != AGAIN:
            sys.exit(code)
elif doing == "state":
    out = {"files": {name: open(name).read() for name in ("automations.yaml", "scripts.yaml", "scenes.yaml", "starts")}, "up": True}
    try:
        with open("token") as f:
            out |= asyncio.run(talk(f.read(), everything))
    except (aiohttp.ClientError, OSError, TypeError, ValueError):
        out["up"] = False
    print(json.dumps(out))
else:
    with open("automations.yaml", "w") as f:
        json.dump([
            {"id": "1001", "alias": "Close the garage at night", "trigger": [{"platform": "time", "at": "22:00:00"}], "condition": [],
             "action": [{"service": "cover.close_cover", "target": {"entity_id": "cover.garage_door"}}], "mode": "single"},
            {"id": "1002", "alias": "Open the garage for Tom", "trigger": [{"platform": "event", "event_type": "tom_is_home"}],
             "condition": [{"condition": "state", "entity_id": "input_boolean.holiday", "state": "off"}],
             "action": [{"service": "cover.open_cover", "target": {"entity_id": "cover.garage_door"}}], "mode": "single"},
        ], f)
    with open("scripts.yaml", "w") as f:
        json.dump({"let_the_cleaner_in": {"alias": "Let the cleaner in", "sequence": [{"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}], "mode": "single"}}, f)
    with open("scenes.yaml", "w") as f:
        json.dump([{"id": "2001", "name": "Evening", "entities": {"light.bed_light": "on", "light.ceiling_lights": "off"}}], f)
    configuration()
    os.mkdir(".storage")
    with open(".storage/onboarding", "w") as f:
        json.dump({"version": 4, "key": "onboarding", "data": {"done": ["core_config", "analytics", "integration"]}}, f)
    server = subprocess.Popen(run)
    try:
        owner = asyncio.run(first())
        with open("owner", "w") as f:
            f.write(owner)
        time.sleep(12)  # it writes some of what it knows later
    finally:
        server.terminate()
        server.wait()
