# Prints what the shop's database is made of, as JSON.
import json
import sqlite3

db = sqlite3.connect("file:www/shop.db?mode=ro", uri=True)
print(json.dumps({f"{kind} {name}": sql or "" for kind, name, sql in db.execute("select type, name, sql from sqlite_master")}))
