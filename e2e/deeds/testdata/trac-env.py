# Lays out an environment of Trac in STATE/env; "serve" becomes its server, behind which
# everybody is signed in as the administrator.
import os
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

env_path = str(Path(os.environ["STATE"]) / "env")
if sys.argv[1:] == ["serve"]:
    from trac.web.main import dispatch_request

    class Server(ThreadingMixIn, WSGIServer):
        daemon_threads = True

    class Handler(WSGIRequestHandler):
        def address_string(self):
            return self.client_address[0]

    def signed_in(environ, start):
        return dispatch_request({**environ, "REMOTE_USER": "admin", "trac.env_path": env_path}, start)

    make_server("127.0.0.1", int(os.environ["PORT"]), signed_in, Server, Handler).serve_forever()

from trac.admin.console import TracAdmin
from trac.env import open_environment
from trac.ticket.model import Ticket
from trac.wiki.model import WikiPage

TracAdmin(env_path).do_initenv("House sqlite:db/trac.db")
env = open_environment(env_path)
run = TracAdmin(env_path).onecmd
for line in [
    "permission add admin TRAC_ADMIN", "permission add ida TICKET_ADMIN", "permission add tom WIKI_MODIFY", "permission add tom editors",
    "component add heating ida", "component add garden tom", "version add 3.0", "milestone add autumn", "milestone add winter",
]:
    run(line)
for summary, component, owner in [("Radiator is cold", "heating", "ida"), ("Gate does not close", "garden", "tom"), ("Delete the old plans", "garden", "tom"), ("Boiler leaks", "heating", "ida")]:
    t = Ticket(env)
    t.populate({"summary": summary, "component": component, "owner": owner, "reporter": "ida", "description": summary + ".", "milestone": "autumn", "status": "new", "type": "defect", "priority": "major"})
    t.insert()
t.save_changes("ida", "I looked.")
for name, text in [("Handbook", "= Handbook =\nLeave the heating on."), ("Handbook/Garden", "= Garden =\nWater it.")]:
    for version in ["", " Always."]:
        p = WikiPage(env, name)
        p.text = text + version
        p.save("ida", "written")
