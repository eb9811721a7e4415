// Takes Playwright's AI snapshot of each page whose address stands on a line of
// standard input, and answers with a line of JSON: what the model would read,
// and the milliseconds of each time it was taken. Beside it stands what Chromium
// takes to tell of the same page in a single command: DOMSnapshot.captureSnapshot
// with boxes and the styles that say what is seen, and its accessibility tree.
//
// node snapshots.mjs <path of playwright-core> <path of Chromium> <runs>
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [core, executablePath, runs] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(core);
const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const devtools = await page.context().newCDPSession(page);
const computedStyles = ["display", "visibility", "opacity", "cursor", "pointer-events", "clip-path", "overflow-x", "overflow-y", "position"];
const took = async (times, of) => {
  const begun = performance.now();
  const got = await of();
  times.push(performance.now() - begun);
  return got;
};
for await (const url of createInterface({ input: process.stdin })) {
  const out = { text: "", ms: [], dom: [], tree: [] };
  try {
    await page.goto(url, { waitUntil: "load" });
    for (let i = 0; i < Number(runs); i++) out.text = await took(out.ms, () => page.ariaSnapshot({ mode: "ai" }));
    for (let i = 0; i < Number(runs); i++) {
      await took(out.dom, () => devtools.send("DOMSnapshot.captureSnapshot", { computedStyles, includePaintOrder: true, includeDOMRects: true }));
      await took(out.tree, () => devtools.send("Accessibility.getFullAXTree"));
    }
  } catch (e) {
    out.error = String(e);
  }
  process.stdout.write(JSON.stringify(out) + "\n");
}
await browser.close();
