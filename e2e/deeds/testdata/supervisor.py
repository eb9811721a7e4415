# Writes a configuration of supervisord, or with "state" prints what runs since when and
# the logs, as JSON.
import json
import os
import sys
import urllib.parse
import xmlrpc.client
from pathlib import Path

state = Path(os.environ["STATE"])
programs = {"web": True, "mailer": True, "backup": False, "reports": True}
if sys.argv[1:] == ["state"]:
    server = xmlrpc.client.ServerProxy(os.environ["URL"] + "/RPC2")
    out = {"logs": {p: (state / f"{p}.log").read_text() for p in programs}}
    for p in server.supervisor.getAllProcessInfo():
        out[p["name"]] = {"state": p["statename"], "start": p["start"]}
    print(json.dumps(out))
    sys.exit()

text = "[supervisord]\nnodaemon=true\nuser=root\nlogfile=%(here)s/supervisord.log\npidfile=%(here)s/supervisord.pid\nchildlogdir=%(here)s\n"
text += "[inet_http_server]\nport=127.0.0.1:%(ENV_PORT)s\n"
text += "[rpcinterface:supervisor]\nsupervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface\n"
for name, starts in programs.items():
    (state / f"{name}.log").write_text(f"{name} was set up\n")
    text += f"[program:{name}]\ncommand=sleep 300\nautostart={str(starts).lower()}\nautorestart=false\nstartsecs=0\nstdout_logfile=%(here)s/{name}.log\nredirect_stderr=true\n"
(state / "supervisord.conf").write_text(text)
