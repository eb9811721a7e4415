// The settings as the panel shows them. They live in the host: each change is
// sent, and the host's answer is shown.

import { effect, signal } from "@preact/signals";
import type { CheckLine, DoctorReport, FaultData, ModelCheck, Setting, SettingsInfo } from "../gen/wire";
import { call } from "./host";
import { lang } from "./i18n";
import { HostError } from "./link";
import { refusals, reword } from "./reword";
import * as store from "./store";

export const SECTIONS = ["models", "look", "budgets", "sites", "search", "uploads", "privacy", "about"] as const;
export type Section = (typeof SECTIONS)[number];

const named = SECTIONS.find((s) => location.hash === `#settings/${s}`);
export const section = signal<Section>(named ?? "models");
export const info = signal<SettingsInfo | undefined>(undefined);
/** The reasons of refusals, by the setting's name; "" is for all settings. */
export const refused = signal<Readonly<Record<string, string>>>({});
/** Typed values that were refused, by the setting's name: each is kept until it is corrected or taken back. */
export const drafts = signal<Readonly<Record<string, string>>>({});
/** The fix of doctor.fix for settings that can't be read; empty if there is none. mended is then the path of the original file. */
export const mendable = signal("");
export const mended = signal("");
/** The setting that was just saved; it is marked for a moment. */
export const savedNow = signal("");
/** The test of a model: under way, or with its result. */
export const check = signal<{ id: string; result?: ModelCheck } | undefined>(undefined);
export const report = signal<DoctorReport | undefined>(undefined);
export const examining = signal(false);

let forgetSaved: ReturnType<typeof setTimeout> | undefined;

export function setting(name: string): Setting | undefined {
  return info.value?.settings?.find((s) => s.name === name);
}

export async function load(): Promise<void> {
  await Promise.all([
    guard("", async () => take(await call("settings.show", {}))),
    guard("sites", async () => void (store.policy.value = await call("policy.show", {}))),
  ]);
}

function take(now: SettingsInfo): void {
  info.value = now;
  mendable.value = "";
  report.value = undefined; // the doctor may find other things now
}

// The doctor may find other things with another model too.
effect(() => {
  void store.modelID.value;
  report.value = undefined;
});

/** Runs a change; shows a refusal beside its setting, and returns whether there was none. */
async function guard(name: string, what: () => Promise<void>, ...also: string[]): Promise<boolean> {
  try {
    await what();
    refused.value = without(refused.value, [name, ...also]);
    return true;
  } catch (e) {
    const wire = e instanceof HostError ? e.wire : { code: "internal", message: String(e) };
    if (name === "") mendable.value = (wire.data as Partial<FaultData> | undefined)?.fix ?? "";
    refused.value = { ...refused.value, ...(refusals(wire, lang) ?? { [name]: Object.values(reword(wire, lang)).filter(Boolean).join(" ") }) };
    return false;
  }
}

function kept(name: string): void {
  clearTimeout(forgetSaved);
  savedNow.value = name;
  forgetSaved = setTimeout(() => (savedNow.value = ""), 3000);
}

/** Changes settings, all or none, and returns whether it did; an empty value is the default. */
export async function set(values: Record<string, string>): Promise<boolean> {
  const name = Object.keys(values)[0] ?? "";
  const ok = await guard(name, async () => take(await call("settings.set", { values })), ...Object.keys(values));
  drafts.value = ok ? without(drafts.value, Object.keys(values)) : { ...drafts.value, ...values };
  if (!ok) return false;
  kept(name);
  if ("provider" in values || "model" in values || "base_url" in values) await store.lookForModels();
  return true;
}

/** Keeps the typed value of a setting that was refused. */
export function draft(name: string, text: string): void {
  drafts.value = { ...drafts.value, [name]: text };
}

/** Shows a setting again as it was before the refused change. */
export function putBack(name: string): void {
  drafts.value = without(drafts.value, [name]);
  refused.value = without(refused.value, [name]);
}

function without(of: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(of).filter(([n]) => !names.includes(n)));
}

/** Has the program remove what can't be read from the settings file; a copy of the original stays beside it. */
export async function mend(): Promise<void> {
  const fix = mendable.value;
  const ok = await guard("", async () => {
    const after = await call("doctor.fix", { fix });
    report.value = after;
    mended.value = after.checks?.find((c) => c.id === "settings" && c.say === "kept")?.args?.[1] ?? "";
  });
  if (ok) await load();
}

export async function setKey(provider: string, key: string): Promise<boolean> {
  const ok = await guard(`key.${provider}`, async () => take(await call("key.set", { provider, key })));
  if (ok) {
    kept(`key.${provider}`);
    void store.lookForModels();
  }
  return ok;
}

export async function removeKey(provider: string): Promise<void> {
  if (await guard(`key.${provider}`, async () => take(await call("key.remove", { provider })))) void store.lookForModels();
}

/** Tests a model with one request of each kind. */
export async function checkModel(id: string): Promise<void> {
  check.value = { id };
  const ok = await guard("check", async () => void (check.value = { id, result: await call("models.check", { id }) }));
  if (!ok) check.value = undefined;
}

/** Has the host forget what did not work with a model, so that it is tried again. */
export async function forgetModel(id: string): Promise<void> {
  if (await guard("forget-model", async () => void (await call("models.forget", { id })))) await store.lookForModels();
}

export async function grant(site: string, cls: string, deny: boolean, days: number): Promise<boolean> {
  return guard("grant", async () => void (store.policy.value = await call("policy.grant", { site, class: cls, deny, days })));
}

export async function examine(): Promise<void> {
  examining.value = true;
  await guard("doctor", async () => void (report.value = await call("doctor.run", {})));
  examining.value = false;
}

export async function fix(line: CheckLine): Promise<void> {
  examining.value = true;
  await guard("doctor", async () => void (report.value = await call("doctor.fix", { fix: line.fix ?? "" })));
  examining.value = false;
}

/** Deletes every conversation that no task runs in; returns how many are left, or undefined after an error. */
export async function forgetAll(): Promise<number | undefined> {
  let left = 0;
  const ok = await guard("forget", async () => {
    for (let before = -1; ; before = left) {
      const list = await call("conversation.list", { limit: 200 });
      left = list.total;
      if (left === 0 || left === before) return; // the others are busy
      for (const c of list.conversations ?? []) {
        try {
          await call("conversation.delete", { conversation: c.conversation });
          if (c.conversation === store.conversation.value) store.leave(); // nothing can go on with it
        } catch (e) {
          if (!(e instanceof HostError) || e.wire.code !== "busy") throw e;
        }
      }
    }
  });
  return ok ? left : undefined;
}
