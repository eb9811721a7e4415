# Prints the settings of the environment, as JSON.
import json
from pathlib import Path

print(json.dumps({"trac.ini": Path("env/conf/trac.ini").read_text()}))
