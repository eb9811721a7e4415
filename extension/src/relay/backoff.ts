// How long to wait before the next try to reach the host.

/** Where the waiting ends up: someone is looking at a panel, or nobody is. */
export const WANTED_MAX = 10_000;
export const IDLE_MAX = 60_000;
const FIRST = 250;

/**
 * The wait before try number `failures` (1 = after the first failure), in
 * milliseconds: doubling from 0.25 s to `max`, with up to a quarter of jitter
 * taken off so that many profiles don't knock in step.
 */
export function delay(failures: number, max: number, random: () => number = Math.random): number {
  const whole = Math.min(max, FIRST * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
  return Math.round(whole * (1 - random() / 4));
}
