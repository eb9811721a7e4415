# Prints all keys of the server, as JSON.
import json
import os
import socket

conn = socket.socket(socket.AF_UNIX)
conn.connect(os.path.join(os.environ["STATE"], "redis.sock"))
answer = conn.makefile("rb")


def ask(*words):
    conn.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w.encode()), w.encode()) for w in words))
    return read()


def read():
    kind, rest = answer.read(1), answer.readline().strip().decode()
    if kind == b"*":
        return [read() for _ in range(int(rest))]
    if kind == b"$":
        return answer.read(int(rest) + 2)[:-2].decode(errors="replace") if int(rest) >= 0 else None
    return rest


whole = {"string": ["get"], "hash": ["hgetall"], "list": ["lrange", "0", "-1"], "set": ["smembers"], "zset": ["zrange", "0", "-1", "withscores"]}
state = {"policy": ask("config", "get", "maxmemory-policy")}
for key in ask("keys", "*"):
    way = whole.get(ask("type", key), [])
    value = ask(way[0], key, *way[1:]) if way else ""
    state[key] = sorted(value) if way == ["smembers"] else value
    state[key + " expires"] = ask("ttl", key) != "-1"
print(json.dumps(state))
