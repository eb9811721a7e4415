// A button and the menu that it opens above itself: arrow keys go from item to
// item, a letter to the next that begins with it, Escape back to the button.

import type { ComponentChildren } from "preact";
import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  id: string;
  label: string;
  icon: preact.JSX.Element;
  disabled: boolean;
  /** Opens the menu from elsewhere. */
  open?: Signal<boolean>;
  onOpen?: () => void;
  onClose?: () => void;
  /** Called with a character key that no item begins with. */
  onOther?: (key: string) => void;
  children: (close: () => void) => ComponentChildren;
}

export function Menu({ id, label, icon, disabled, open: outside, onOpen, onClose, onOther, children }: Props) {
  const [inside, setInside] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const open = inside || (outside?.value ?? false);
  const setOpen = (on: boolean) => {
    setInside(on);
    if (outside && !on) outside.value = false;
  };
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not([aria-disabled=true])") ?? [])];
  // In a layout effect, before the next key can come: an Escape right after the opening goes to the menu.
  useLayoutEffect(() => {
    if (!open) return;
    onOpen?.();
    items()[0]?.focus();
    const away = (e: PointerEvent) => e.target instanceof Node && !root.current?.contains(e.target) && setOpen(false);
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open]);
  const close = () => {
    setOpen(false);
    if (onClose) onClose();
    else button.current?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (!open) return;
    if (e.key === "Escape" || e.key === "Tab") {
      e.preventDefault();
      return close();
    }
    const all = items();
    const at = all.findIndex((i) => i === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -at, End: all.length - 1 - at }[e.key];
    if (step !== undefined) {
      e.preventDefault();
      all[(at + step + all.length) % all.length]?.focus();
    } else if (e.key.length === 1 && e.key !== " " && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find((i) => i.textContent?.trim().toLowerCase().startsWith(e.key.toLowerCase()));
      if (next) next.focus();
      else onOther?.(e.key);
    }
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button type="button" ref={button} class="icon" data-testid={id} title={label} aria-label={label} aria-haspopup="menu" aria-expanded={open}
        disabled={disabled} onClick={() => setOpen(!open)}>{icon}</button>
      {open && <div class="items" role="menu" aria-label={label}>{children(close)}</div>}
    </div>
  );
}

interface ItemProps { id: string; icon: preact.JSX.Element; note?: string; disabled?: boolean; onPick: () => void; children: ComponentChildren }

export function Item({ id, icon, note, disabled, onPick, children }: ItemProps) {
  return (
    <button type="button" role="menuitem" data-testid={id} aria-disabled={disabled || undefined} onClick={() => !disabled && onPick()}>
      {icon}<span class="what">{children}{note && <small>{note}</small>}</span>
    </button>
  );
}
