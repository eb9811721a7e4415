// How long to wait before the next try to reach the host.

/** The longest waits, in ms: while a panel is open or a tab is attached, and otherwise. */
export const WANTED_MAX = 10_000;
export const IDLE_MAX = 60_000;
const FIRST = 250;

/**
 * Returns the wait after `failures` failures in a row, in milliseconds: it
 * doubles from 0.25 s to `max`, less a random part of up to a quarter, so that
 * many profiles don't retry in step.
 */
export function delay(failures: number, max: number, random: () => number = Math.random): number {
  const whole = Math.min(max, FIRST * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
  return Math.round(whole * (1 - random() / 4));
}
