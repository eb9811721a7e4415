// Takes Playwright's AI snapshot of each page whose address stands on a line of
// standard input, and answers with a line of JSON: what the model would read,
// and the milliseconds of each time it was taken.
//
// node snapshots.mjs <path of playwright-core> <path of Chromium> <runs>
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [core, executablePath, runs] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(core);
const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
for await (const url of createInterface({ input: process.stdin })) {
  const out = { text: "", ms: [] };
  try {
    await page.goto(url, { waitUntil: "load" });
    for (let i = 0; i < Number(runs); i++) {
      const begun = performance.now();
      out.text = await page.ariaSnapshot({ mode: "ai" });
      out.ms.push(performance.now() - begun);
    }
  } catch (e) {
    out.error = String(e);
  }
  process.stdout.write(JSON.stringify(out) + "\n");
}
await browser.close();
