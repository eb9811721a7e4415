# Prints the settings and files of the server as JSON.
import json
import os
from pathlib import Path

state = Path(os.environ["STATE"])
files = {str(p.relative_to(state)): p.read_text(errors="replace") for part in ["shared", "other"] for p in (state / part).rglob("*") if p.is_file()}
html = state / "home" / "custom.html"
files["custom.html"] = html.read_text() if html.exists() else ""
print(json.dumps({"config": (state / "home" / "config.yaml").read_text(), "files": files}))
