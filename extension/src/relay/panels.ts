// The side panels: each open panel is a channel of the one native port.

import type { Message, RelayStatus } from "../gen/wire";

export interface PanelEvents {
  opened(chan: string): void;
  closed(chan: string): void;
  /** A message of a panel, with its channel set. */
  message(m: Message): void;
  /** The panel asks to reach the host now. */
  retry(): void;
  status(): RelayStatus;
}

export class Panels {
  private ports = new Map<string, chrome.runtime.Port>();
  private last = 0;

  constructor(private on: PanelEvents) {}

  get open(): string[] {
    return [...this.ports.keys()];
  }

  /** Takes ports from our own panel page only: not from content scripts, web pages, or other extensions. */
  accept(port: chrome.runtime.Port): void {
    const { id, url } = port.sender ?? {};
    // The address may end with the section of the settings that the panel was reloaded at.
    const ours = id === chrome.runtime.id && url?.split(/[?#]/, 1)[0] === chrome.runtime.getURL("panel.html");
    if (port.name !== "panel" || !ours) return port.disconnect();

    const chan = `p${++this.last}`;
    this.ports.set(chan, port);
    port.onMessage.addListener((m: Message) => {
      if (m.kind === "evt" && m.method === "relay.retry") this.on.retry();
      else this.on.message({ ...m, chan });
    });
    port.onDisconnect.addListener(() => {
      this.ports.delete(chan);
      this.on.closed(chan);
    });
    this.tell(port, this.on.status());
    this.on.opened(chan);
  }

  /** Sends a message of the host to the panel of its channel. */
  deliver(m: Message): void {
    this.ports.get(m.chan ?? "")?.postMessage(m);
  }

  status(s: RelayStatus): void {
    for (const port of this.ports.values()) this.tell(port, s);
  }

  private tell(port: chrome.runtime.Port, params: RelayStatus): void {
    port.postMessage({ kind: "evt", method: "relay.status", params } satisfies Message);
  }
}
