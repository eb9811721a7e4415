// The panel's connection to the host, through the relay: requests with answers,
// and events. Chrome may stop and start the relay at any time; the port is then
// opened again.

import type { Error as WireError, Events, Message, Methods, RelayStatus } from "../gen/wire";

/** An error of the host, with its code and hint. */
export class HostError extends Error {
  constructor(readonly wire: WireError) {
    super(wire.message);
  }
}

export interface LinkEvents {
  status(s: RelayStatus): void;
  event<E extends keyof Events>(name: E, params: Events[E]): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(e: HostError): void;
}

export class Link {
  private port: chrome.runtime.Port | undefined;
  private waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(private on: LinkEvents) {}

  open(): void {
    const port = chrome.runtime.connect({ name: "panel" });
    this.port = port;
    port.onMessage.addListener((m: Message) => this.take(m));
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError; // read, or Chrome logs it as unchecked
      this.port = undefined;
      this.drop();
      this.on.status({ connected: false, error: "" });
      setTimeout(() => this.open(), 100); // wakes the relay again
    });
  }

  /** Asks the relay to connect to the host at once. */
  retry(): void {
    this.port?.postMessage({ kind: "evt", method: "relay.retry" } satisfies Message);
  }

  call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
    return new Promise((resolve, reject) => {
      const port = this.port;
      if (!port) return reject(closed());
      const id = ++this.last;
      this.waiting.set(id, { resolve: (r) => resolve(r as Methods[M]["result"]), reject });
      port.postMessage({ kind: "req", id, method, params } satisfies Message);
    });
  }

  private take(m: Message): void {
    if (m.kind === "evt" && m.method === "relay.status") {
      const s = m.params as RelayStatus;
      if (!s.connected) this.drop();
      return this.on.status(s);
    }
    if (m.kind === "evt" && m.method) return this.on.event(m.method as keyof Events, m.params as Events[keyof Events]);
    if (m.kind !== "res" || m.id === undefined) return;
    const w = this.waiting.get(m.id);
    this.waiting.delete(m.id);
    if (m.error) w?.reject(new HostError(m.error));
    else w?.resolve(m.result);
  }

  /** Rejects the open requests: a host that is gone does not answer them. */
  private drop(): void {
    for (const w of this.waiting.values()) w.reject(closed());
    this.waiting.clear();
  }
}

function closed(): HostError {
  return new HostError({ code: "closed", message: "The host is not connected." });
}
