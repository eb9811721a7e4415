// Who this relay is: version, profile and browser, for the hello.

import type { Browser, HelloParams } from "../gen/wire";

export const PROTOCOL = 1;

export async function hello(): Promise<HelloParams> {
  const build = chrome.runtime.getManifest();
  return {
    role: "relay",
    protocolMin: PROTOCOL,
    protocolMax: PROTOCOL,
    version: build.version_name ?? build.version,
    extensionId: chrome.runtime.id,
    profile: await kept(chrome.storage.local, "profile"),
    run: await kept(chrome.storage.session, "run"),
    browser: await browser(),
  };
}

/**
 * Returns a random id that is made once and lasts as long as the storage: for
 * this Chrome profile, or for this run of the browser. It says nothing about the
 * user.
 */
async function kept(storage: chrome.storage.StorageArea, key: string): Promise<string> {
  const old = (await storage.get(key))[key];
  if (typeof old === "string") return old;
  const made = crypto.randomUUID();
  await storage.set({ [key]: made });
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
