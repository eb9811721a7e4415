// The positions of the nodes in the picture of a workflow.

import type { FlowNode } from "../gen/wire";

/** The position of a node in a picture of WIDTH by height. */
export interface Spot { node: FlowNode; x: number; y: number; width: number }
export const WIDTH = 320;
const ROW = 58;
/** The distance between two rows of one level, which no edge connects. */
const CLOSE = 44;
export const BOX = 34;
/** The most nodes whose words have room side by side. */
const ABREAST = 3;

/** Lays the nodes out by level: those of one level side by side, in several rows if there are many. */
export function layout(nodes: readonly FlowNode[]): { spots: Spot[]; height: number } {
  const levels: FlowNode[][] = [];
  for (const n of nodes) (levels[n.level] ??= []).push(n);
  const spots: Spot[] = [];
  let y = 4 - ROW;
  for (const level of levels) {
    if (!level) continue;
    const each = Math.ceil(level.length / Math.ceil(level.length / ABREAST));
    const room = WIDTH / each;
    const width = Math.min(150, room - 10);
    y += ROW;
    level.forEach((node, i) => {
      if (i > 0 && i % each === 0) y += CLOSE;
      const missing = each - Math.min(each, level.length - (i - (i % each))); // empty places of the last row, which is centred
      spots.push({ node, width, x: (i % each + missing / 2) * room + (room - width) / 2, y });
    });
  }
  return { spots, height: Math.max(4, y) + BOX + 4 };
}
