// What the unit tests use of node, so that the extension's own code does not
// see node's globals.
declare module "node:test" {
  export default function test(name: string, run: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  const assert: {
    (ok: unknown, message?: string): void;
    equal<T>(actual: T, expected: T, message?: string): void;
    deepEqual<T>(actual: T, expected: T, message?: string): void;
    throws(run: () => void, expected?: RegExp): void;
    rejects(run: Promise<unknown>, expected?: RegExp): Promise<void>;
  };
  export default assert;
}
declare module "node:crypto" {
  export function createHash(name: "sha256"): { update(text: string): { digest(as: "hex"): string } };
}
declare module "node:process" {
  type Listens = (event: "unhandledRejection", listener: (reason: unknown) => void) => void;
  const process: { on: Listens; off: Listens };
  export default process;
}
declare module "node:timers/promises" {
  export function setImmediate(): Promise<void>;
}
