// The first thing that runs: it dresses the shell that stands in panel.html,
// and has the panel itself evaluated only when that is on the screen. Nothing
// big may be imported here.

import { dress, language, mirrored } from "./look";

/** A page that no frame is drawn of, though it is not hidden, is not waited for any longer. */
const FRAME_MS = 1000;
const PANEL = "./panel.js"; // built apart from this

const prefs = mirrored();
const root = document.documentElement;
dress(prefs);
root.lang = language(prefs);
if (location.hash.startsWith("#settings")) root.dataset["screen"] = "settings";

let begun = false;
function begin(): void {
  if (begun) return;
  begun = true;
  void import(PANEL);
}
if (document.visibilityState === "hidden") begin(); // it has no frames
else {
  setTimeout(begin, FRAME_MS);
  requestAnimationFrame(() => setTimeout(begin)); // behind the frame that the callback is for
}
