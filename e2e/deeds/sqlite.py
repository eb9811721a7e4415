# Prints the rows of a SQLite database (argument 1) as JSON: table, row, column. A row
# is named by its primary key where it has one.
import json
import sqlite3
import sys

db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=10)
db.text_factory = lambda b: b.decode("utf-8", "replace")
tables = [r[0] for r in db.execute("select name from sqlite_master where type = 'table' order by name")]
state = {}
for table in tables:
    try:
        info = db.execute(f'pragma table_info("{table}")').fetchall()
        names = [c[1] for c in info]
        keys = [c[1] for c in sorted(info, key=lambda c: c[5]) if c[5]]
        rows = [dict(zip(names, map(str, r))) for r in db.execute(f'select * from "{table}"')]
    except sqlite3.DatabaseError:
        continue  # a virtual table whose module is not here
    rows.sort(key=lambda r: json.dumps(r))
    state[table] = {",".join(r[k] for k in keys) or str(i): r for i, r in enumerate(rows)}
print(json.dumps(state))
