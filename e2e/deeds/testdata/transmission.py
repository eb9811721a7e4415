# Writes Transmission's settings and three torrents, or with "state" prints torrents and
# settings as the server has them.
import hashlib
import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

state = Path(os.environ["STATE"])
if sys.argv[1:] == ["state"]:
    call = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    url = os.environ["URL"] + "/transmission/rpc"

    def rpc(method, token="", **args):
        req = urllib.request.Request(url, json.dumps({"method": method, "arguments": args}).encode(), {"X-Transmission-Session-Id": token})
        try:
            return json.load(call(req, timeout=5))["arguments"]
        except urllib.error.HTTPError as e:
            if token or e.code != 409:
                raise
            return rpc(method, e.headers["X-Transmission-Session-Id"], **args)

    fields = ["name", "downloadDir", "bandwidthPriority", "files", "wanted", "priorities", "trackers", "queuePosition"]
    torrents = rpc("torrent-get", fields=fields + ["status"])["torrents"]
    for t in torrents:
        t["stopped"] = t.pop("status") == 0
    settings = rpc("session-get")
    for k in ["session-id", "download-dir-free-space", "peer-port"]:
        settings.pop(k, None)
    files = {str(p.relative_to(state)): p.read_text() for p in (state / "got").rglob("*") if p.is_file()}
    print(json.dumps({"torrents": sorted(torrents, key=lambda t: t["name"]), "settings": settings, "files": files}))
    sys.exit()


def bencode(v):
    match v:
        case int():
            return b"i%de" % v
        case str():
            return bencode(v.encode())
        case bytes():
            return b"%d:%s" % (len(v), v)
        case list():
            return b"l" + b"".join(map(bencode, v)) + b"e"
        case dict():
            return b"d" + b"".join(bencode(k) + bencode(v[k]) for k in sorted(v)) + b"e"


(state / "home" / "torrents").mkdir(parents=True)
(state / "got").mkdir()
for name in ["film.mkv", "song.flac", "book.pdf"]:
    text = ("the whole of " + name + "\n").encode() * 40
    (state / "got" / name).write_bytes(text)
    size = 1 << 14
    pieces = b"".join(hashlib.sha1(text[i:i + size]).digest() for i in range(0, len(text), size))
    info = {"name": name, "piece length": size, "length": len(text), "pieces": pieces, "private": 1}
    (state / "home" / "torrents" / (name + ".torrent")).write_bytes(bencode({"announce": "http://127.0.0.1:9/announce", "info": info}))
(state / "home" / "settings.json").write_text(json.dumps({
    "download-dir": "../got", "rpc-bind-address": "127.0.0.1", "rpc-whitelist-enabled": False, "rpc-host-whitelist-enabled": False,
    "rpc-authentication-required": False, "dht-enabled": False, "lpd-enabled": False, "pex-enabled": False, "port-forwarding-enabled": False,
    "peer-port": 0, "utp-enabled": False, "watch-dir-enabled": False,
}))
