# Runs the verify function of a file (argument 1) on a server (argument 2), and prints
# its verdict as JSON.
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("verifier", sys.argv[1])
verifier = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)
solved, why = verifier.verify(sys.argv[2])
print(json.dumps({"solved": bool(solved), "why": str(why)}))
