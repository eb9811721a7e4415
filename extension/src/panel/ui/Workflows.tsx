// Tasks in parts, and kept workflows: the menu beside the box, the form with the
// values of a kept workflow, and the wait for a graph.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SavedFlow } from "../../gen/wire";
import * as saved from "../saved";
import * as store from "../store";
import { w } from "../words/flow";
import { Branch, Check, Cross, Page, Pencil, Play, Replay, Spinner, Warn } from "./icons";
import { Item, Menu } from "./Menu";
import { Refusal } from "./Refusal";

/** Whether the menu was opened by "/" in an empty box. */
export const menuOpen = signal(false);

export function WorkflowMenu({ disabled, back }: { disabled: boolean; back: () => void }) {
  const file = useRef<HTMLInputElement>(null);
  const text = store.draft.value.trim();
  const parts = !text || !store.canStart.value || saved.carries();
  const slash = (key: string) => {
    if (key !== "/") return; // a second "/" means the character itself
    menuOpen.value = false;
    store.draft.value += "/";
    back();
  };
  return (
    <>
      <Menu id="workflows" label={w.menu} icon={<Branch />} disabled={disabled} open={menuOpen} onOpen={() => void saved.look()} onClose={back} onOther={slash}>
        {(close) => (
          <>
            <Item id="in-parts" icon={<Branch size={15} />} note={parts ? saved.carries() ? w.inPartsNot : w.inPartsEmpty : w.inPartsNote} disabled={parts}
              onPick={() => { close(); void saved.inParts(); }}>{w.inParts}</Item>
            <Saved close={close} />
            <Item id="keep-file" icon={<Page size={15} />} onPick={() => { close(); file.current?.click(); }}>{w.fromFile}</Item>
          </>
        )}
      </Menu>
      <input ref={file} type="file" accept=".yaml,.yml" multiple hidden data-testid="keep-input"
        onChange={(e) => { const input = e.currentTarget; void saved.keepFiles([...input.files ?? []]).then(() => (input.value = "")); }} />
    </>
  );
}

function Saved({ close }: { close: () => void }) {
  const all = saved.list.value;
  return (
    <div role="group" aria-label={w.savedOnes} class="group">
      <span class="head-line" aria-hidden="true">{w.savedOnes}</span>
      {all === undefined && <span class="none"><Spinner /></span>}
      {all?.length === 0 && <span class="none">{w.noneSaved}</span>}
      {all?.map((s) => (
        <Item key={s.id} id="saved" icon={s.error ? <Warn size={15} /> : s.kind === "graph" ? <Branch size={15} /> : <Replay size={15} />}
          note={s.error ? w.broken : s.kind === "graph" ? w.partsOf(s.parts) : w.stepsOf(s.parts)} onPick={() => { close(); saved.pick(s); }}>{s.name}</Item>
      ))}
    </div>
  );
}

/** Asks for the values of the picked workflow before it runs. */
export function RunSaved({ back }: { back: () => void }) {
  const s = saved.picked.value;
  return s ? <Form key={s.id} s={s} back={back} /> : null;
}

function Form({ s, back }: { s: SavedFlow; back: () => void }) {
  const params = s.params ?? [];
  const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries(params.map((p) => [p.name, p.default ?? ""])));
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("input, button.primary")?.focus(), []);
  const close = () => {
    saved.pick(undefined);
    back();
  };
  const submit = async (e: Event) => {
    e.preventDefault();
    if (e.isTrusted && await saved.start(s, values)) back();
  };
  return (
    <form ref={form} class="run-saved" data-testid="run-saved" aria-label={w.runIt(s.name)} onSubmit={(e) => void submit(e)}
      onKeyDown={(e) => { if (e.key === "Escape") { e.preventDefault(); close(); } }}>
      <div class="title">
        <Name s={s} />
        <button type="button" class="icon" title={w.cancel} aria-label={w.cancel} onClick={close}><Cross size={14} /></button>
      </div>
      {s.error ? <div class="flow-error" role="alert"><Refusal error={s.error} /></div> : <p class="dim">{s.kind === "graph" ? w.graphNote(s.parts) : w.replayNote(s.parts)}</p>}
      {!s.error && params.map((p) => (
        <label key={p.name} class="field">
          <span>{p.name.replaceAll("_", " ")}</span>
          <input value={values[p.name]} name={p.name} required placeholder={p.secret ? "{{secret:name}}" : undefined} autocomplete="off" spellcheck={false}
            data-testid="saved-param" onInput={(e) => setValues({ ...values, [p.name]: e.currentTarget.value })} />
          {p.secret ? <small>{w.secretNote}</small> : p.about && <small>{p.about}</small>}
        </label>
      ))}
      <div class="flow-buttons">
        {!s.error && <button type="submit" class="primary" data-testid="saved-start" disabled={saved.busy.value}><Play size={12} /> {w.start}</button>}
        <button type="button" class="small" data-testid="saved-file" onClick={() => void saved.toFile(s)}>{w.save}</button>
        <button type="button" class="small" data-testid="saved-remove" onClick={() => void saved.remove(s).then(back)}>{w.remove}</button>
      </div>
    </form>
  );
}

/** The name of a workflow, to edit in place; Enter saves it, Escape cancels. */
function Name({ s }: { s: SavedFlow }) {
  const [editing, setEditing] = useState(false);
  const [name, setName] = useState(s.name);
  const pencil = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // In a layout effect, before the next key can come: typed text replaces the old name.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [editing]);
  const stop = () => {
    setEditing(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  const keep = async () => {
    const now = name.trim();
    if (!now || now === s.name || await saved.rename(s, now)) stop();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.isComposing || (e.key !== "Enter" && e.key !== "Escape")) return;
    e.preventDefault(); // the key neither runs the workflow nor closes the form
    e.stopPropagation();
    if (e.key === "Escape") stop();
    else void keep();
  };
  if (!editing) {
    return (
      <>
        <b>{s.name}</b>
        {!s.error && <button type="button" class="icon" ref={pencil} data-testid="saved-rename" title={w.rename} aria-label={w.rename} onClick={() => { setName(s.name); setEditing(true); }}><Pencil size={14} /></button>}
      </>
    );
  }
  return (
    <>
      <input class="name" value={name} maxLength={120} ref={field} autocomplete="off" spellcheck={false} aria-label={w.rename}
        data-testid="saved-name" onInput={(e) => setName(e.currentTarget.value)} onKeyDown={onKeyDown} />
      <button type="button" class="icon" data-testid="saved-name-keep" title={w.keepName} aria-label={w.keepName} onClick={() => void keep()}><Check size={14} /></button>
    </>
  );
}

/** The wait while the model makes a graph. */
export function Composing({ back }: { back: () => void }) {
  const text = saved.composing.value;
  if (!text) return null;
  return (
    <div class="composing" role="status" data-testid="composing">
      <Spinner /><span>{w.composing} <q>{text}</q></span>
      <button type="button" class="small" onClick={() => { saved.giveUp(); back(); }}>{w.cancel}</button>
    </div>
  );
}

/** A button that keeps something as a workflow; then its name. */
export function Keep({ what, of }: { what: { task: string } | { flow: string }; of: string }) {
  const s = saved.kept.value.get(of);
  if (s) return <span class="kept" role="status" data-testid="kept">{w.keptAs(s.name)}</span>;
  return <button type="button" class="small" data-testid="keep-workflow" title={w.keepNote} onClick={() => void saved.keep(what)}><Replay size={13} /> {w.saveTask}</button>;
}
