# Runs the server.py of the working directory on a free port of loopback, whatever it
# asks for, writes the port to descriptor 3, and lets its pages load nothing from
# elsewhere.
import http.server
import os
import runpy
import socketserver
import sys

server = socketserver.TCPServer
bind, listen, end_headers = server.server_bind, server.server_activate, http.server.BaseHTTPRequestHandler.end_headers


def on_loopback(self):
    self.server_address = ("127.0.0.1", 0)
    bind(self)


def told(self):
    listen(self)
    with os.fdopen(3, "w") as out:
        out.write(f"{self.server_address[1]}\n")


def with_policy(self):
    self.send_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:")
    end_headers(self)


server.server_bind, server.server_activate = on_loopback, told
http.server.BaseHTTPRequestHandler.end_headers = with_policy
sys.argv = ["server.py", "--port", "0"]
sys.path.insert(0, os.getcwd())
runpy.run_path("server.py", run_name="__main__")
