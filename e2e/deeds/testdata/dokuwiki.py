# Prints the pages, files and settings of the wiki as JSON.
import json
import os
from pathlib import Path

wiki = Path(os.environ["STATE"]) / "wiki"
print(json.dumps({
    str(p.relative_to(wiki)): p.read_text(errors="replace")
    for part in ["conf", "data/pages", "data/media"]
    for p in (wiki / part).rglob("*") if p.is_file()
}))
