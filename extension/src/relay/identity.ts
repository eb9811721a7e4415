// Who this relay is: version, profile and browser, for the hello.

import type { Browser, HelloParams } from "../gen/wire";

export const PROTOCOL = 1;

export async function hello(): Promise<HelloParams> {
  return {
    role: "relay",
    protocolMin: PROTOCOL,
    protocolMax: PROTOCOL,
    version: chrome.runtime.getManifest().version,
    extensionId: chrome.runtime.id,
    profile: await profile(),
    browser: await browser(),
  };
}

/** A random name for this Chrome profile, made once: it tells profiles apart and says nothing about the person. */
async function profile(): Promise<string> {
  const kept = (await chrome.storage.local.get("profile"))["profile"];
  if (typeof kept === "string") return kept;
  const made = crypto.randomUUID();
  await chrome.storage.local.set({ profile: made });
  return made;
}

interface Brand { brand: string; version: string }
interface UAData { getHighEntropyValues(hints: string[]): Promise<{ fullVersionList?: Brand[] }> }

async function browser(): Promise<Browser> {
  const { os } = await chrome.runtime.getPlatformInfo();
  const data = (navigator as Navigator & { userAgentData?: UAData }).userAgentData;
  const brands = (await data?.getHighEntropyValues(["fullVersionList"]))?.fullVersionList ?? [];
  // The list also holds a made-up brand ("Not;A=Brand") and the engine's.
  const real = brands.filter((b) => !/not.*brand/i.test(b.brand));
  const own = real.find((b) => b.brand !== "Chromium") ?? real[0];
  return { name: own?.brand ?? "Chromium", version: own?.version ?? "", platform: os };
}
