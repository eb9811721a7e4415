# Writes notebooks and notes, or with "state" prints the files and the programs that run.
import json
import os
import sys
import urllib.request
from pathlib import Path

work = Path(os.environ["STATE"]) / "work"
if sys.argv[1:] == ["state"]:
    out = {"files": {str(p.relative_to(work)): p.read_text() for p in work.rglob("*") if p.is_file() and ".ipynb_checkpoints" not in p.parts}}
    get = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    try:
        out["kernels"] = [k["id"] for k in json.load(get(os.environ["URL"] + "/api/kernels", timeout=5))]
    except OSError:
        out["kernels"] = "down"
    print(json.dumps(out))
    sys.exit()


def cell(kind, text):
    more = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": "c%d" % len(text), "metadata": {}, "source": text, **more}


def notebook(path, *cells):
    path.write_text(json.dumps({
        "cells": list(cells), "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    }))


(work / "old").mkdir(parents=True)
notebook(work / "clean.ipynb", cell("markdown", "# Clean up"), cell("code", "import os\nos.remove('raw.csv')\n"))
notebook(work / "report.ipynb", cell("markdown", "# Sales"), cell("code", "open('sales.txt', 'w').write('12')"))
(work / "raw.csv").write_text("day,sum\n1,20\n2,31\n")
(work / "notes.txt").write_text("Buy paint.\n")
(work / "old" / "a.txt").write_text("a\n")
