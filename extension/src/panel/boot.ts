// Runs first: sets the look of the shell in panel.html, and imports the panel
// itself only once the shell is on the screen. Nothing big may be imported
// statically here.

import { dress, language, mirrored } from "./look";

/** How long the first frame is waited for, in ms: a visible page may get none. */
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
if (document.visibilityState === "hidden") begin(); // a hidden page has no frames
else {
  setTimeout(begin, FRAME_MS);
  requestAnimationFrame(() => setTimeout(begin)); // after the frame that the callback comes before
}
