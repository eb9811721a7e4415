# A mail server that takes each mail and keeps it in the folder "mail" of the state.
import os
import socketserver
import threading
import time


class Post(socketserver.StreamRequestHandler):
    def handle(self):
        say = lambda line: self.wfile.write(line + b"\r\n")
        say(b"220 here")
        while line := self.rfile.readline():
            if not line.upper().startswith(b"DATA"):
                say(b"250 yes" if line.upper().strip() != b"QUIT" else b"221 bye")
                continue
            say(b"354 go on")
            text = b""
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                text += line
            with open(f'{os.environ["STATE"]}/mail/{time.time_ns()}', "wb") as f:
                f.write(text)
            say(b"250 yes")


def open_port():
    """Begins to take mails, and gives the port."""
    post = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Post)
    post.daemon_threads = True
    threading.Thread(target=post.serve_forever, daemon=True).start()
    return post.server_address[1]
