// The native port: connect, say hello, put chunks together, and try again
// with a growing wait when the host goes. While the port is open Chrome keeps
// this service worker alive.

import type { HelloParams, HelloResult, Message, OlderData, RelayStatus } from "../gen/wire";
import { IDLE_MAX, WANTED_MAX, delay } from "./backoff";
import { Assembler } from "./chunks";
import { PROTOCOL } from "./identity";

const NAME = "com.tabwright.host";
/** The host answers the hello within this time, in ms; it may have to start the broker first. */
const HELLO_MS = 15_000;

export interface HostEvents {
  hello(): Promise<HelloParams>;
  /** A message from the host, whole. */
  message(m: Message): void;
  status(s: RelayStatus): void;
  /** Reports whether a panel or a tab needs the host, which is then tried more often. */
  wanted(): boolean;
}

export class Host {
  private port: chrome.runtime.Port | undefined;
  private ready = false;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private error = "";
  private older: string | undefined;

  constructor(private on: HostEvents) {}

  get status(): RelayStatus {
    return this.ready ? { connected: true } : { connected: false, error: this.error, ...(this.older && { older: this.older }) };
  }

  /** Connects now, whatever the back-off says; does nothing when connected or about to be. */
  connect(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.port) return;
    const port = chrome.runtime.connectNative(NAME);
    this.port = port;
    const chunks = new Assembler();
    const giveUp = setTimeout(() => this.lost(port, "The host did not answer."), HELLO_MS);

    const take = (m: Message): void => {
      if (this.ready) return this.on.message(m);
      if (m.kind !== "res" || m.id !== 1) return; // nothing else may come before the hello is answered
      clearTimeout(giveUp);
      if (m.error) return this.lost(port, m.error.message, (m.error.data as OlderData | undefined)?.older);
      // The host may answer with a version that was not offered; no messages are possible then.
      const { protocol } = m.result as HelloResult;
      if (protocol !== PROTOCOL) {
        const older = protocol < PROTOCOL ? "host" : "extension";
        return this.lost(port, `No common protocol version; the ${older} is too old.`, older);
      }
      this.ready = true;
      this.failures = 0;
      this.error = "";
      this.on.status(this.status);
    };
    port.onMessage.addListener((m: Message) => {
      if (port !== this.port) return;
      try {
        const whole = m.kind === "chunk" && m.chunk ? chunks.add(m.chan ?? "", m.chunk) : m;
        if (whole) take(whole);
      } catch (e) {
        console.warn("tabwright: message dropped:", e);
      }
    });
    port.onDisconnect.addListener(() => {
      clearTimeout(giveUp);
      this.lost(port, chrome.runtime.lastError?.message ?? "The host ended the connection.");
    });
    void this.on.hello().then((params) => {
      if (port === this.port) port.postMessage({ kind: "req", id: 1, method: "hello", params } satisfies Message);
    });
  }

  /** Sends a message; drops it before the hello is answered, since the host asks for what it needs. Throws if the message is too large. */
  send(m: Message): void {
    if (this.ready) this.port?.postMessage(m);
  }

  private lost(port: chrome.runtime.Port, why: string, older?: string): void {
    if (port !== this.port) return;
    port.disconnect();
    this.port = undefined;
    this.ready = false;
    this.error = why;
    this.older = older;
    this.failures++;
    this.on.status(this.status);
    const wait = delay(this.failures, this.on.wanted() ? WANTED_MAX : IDLE_MAX);
    this.timer = setTimeout(() => this.connect(), wait);
  }
}
