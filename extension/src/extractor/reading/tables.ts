// Tables made by HTML or by roles: their rows, cells and spans; tables that contain
// code, and tables that only lay out the page.

import { explicitRole } from "../a11y/role";
import { all, attr, childrenOf, closest, firstIn, hasAny, hasAttr, isConnected, localName, textContent } from "../dom/dom";

const tableRoles = new Set(["table", "grid", "treegrid"]);
const cellRoles = new Set(["cell", "gridcell", "columnheader", "rowheader"]);

export const isTable = (el: Element, tag: string): boolean => tag === "table" || tableRoles.has(explicitRole(el));

export function rowsOf(table: Element): Element[] {
  const tag = localName(table);
  if (tag === "table") return [...all(table, "tr")].filter((r) => closest(r, (x) => localName(x) === "table") === table);
  return [...all(table, "[role=row]")].filter((r) => closest(r, (x) => isTable(x, localName(x))) === table);
}

export function cellsOf(row: Element): Element[] {
  if (localName(row) === "tr") return childrenOf(row).filter((c) => localName(c) === "td" || localName(c) === "th");
  return [...all(row, "[role]")].filter((c) => cellRoles.has(explicitRole(c)) && closest(c, (x) => explicitRole(x) === "row") === row);
}

const headRows = new WeakMap<Element, Element>(); // by their grids

/** The row of column heads: the first row of a plain table; in a table with a role, the row with head cells. */
function headRow(table: Element): Element | undefined {
  if (table instanceof HTMLTableElement && explicitRole(table) === "") return table.rows[0];
  let row = headRows.get(table);
  if (!row || !isConnected(row)) {
    const head = firstIn(table, "[role=columnheader]") ?? firstIn(table, "th");
    const found = head ? closest(head, (x) => explicitRole(x) === "row" || localName(x) === "tr") : null;
    if (!found) return undefined;
    headRows.set(table, row = found);
  }
  return row;
}

/** The cell that heads the column of a cell. */
export function headCell(cell: Element): Element | null {
  if (localName(cell) !== "td" && !cellRoles.has(explicitRole(cell))) return null;
  const row = closest(cell, (x) => localName(x) === "tr" || explicitRole(x) === "row");
  const table = row ? closest(row, (x) => isTable(x, localName(x))) : null;
  const heads = table ? headRow(table) : undefined;
  if (!row || !heads || heads === row) return null;
  const column = attr(cell, "aria-colindex");
  const cells = cellsOf(heads);
  if (column !== null) return cells.find((c) => attr(c, "aria-colindex") === column) ?? null;
  let at = 0;
  for (const c of cellsOf(row)) {
    if (c === cell) break;
    at += span(c, "colspan", 20);
  }
  for (const c of cells) {
    if (at < span(c, "colspan", 20)) return at === 0 || span(c, "colspan", 20) === 1 ? c : null;
    at -= span(c, "colspan", 20);
  }
  return null;
}

/** A cell, read once even if it spans several places of the table. */
export interface Cell { el: Element; text?: string; pressed?: boolean }

const span = (cell: Element, name: string, most: number): number => Math.min(most, Math.max(1, Number(attr(cell, name) ?? "1") || 1));

/** The number of lines that a cell spans; rowspan 0 means the rest of its group. */
const linesOf = (cell: Element): number => attr(cell, "rowspan")?.trim() === "0" ? 1000 : span(cell, "rowspan", 1000);

type Line = (Cell | undefined)[];

/** One line of a table; group is the element around it, which no cell spans beyond. */
export interface Row { group: Element | null; cells: Element[] }

/** The cells by line and column. A cell that spans lines is in each of them; one that spans columns is only in the first. */
export function grid(rows: readonly Row[]): Line[] {
  const out: Line[] = [];
  let above: { cell: Cell | undefined; lines: number }[] = []; // cells that span further lines, by column
  let group: Element | null = null;
  for (const row of rows) {
    if (row.group !== group) above = [];
    group = row.group;
    if (row.cells.length === 0) {
      for (const a of above) if (a && a.lines > 0) a.lines--;
      continue;
    }
    const line: Line = [];
    const goOn = (): void => {
      for (let a = above[line.length]; a && a.lines > 0; a = above[line.length]) {
        a.lines--;
        line.push(a.cell);
      }
    };
    for (const el of row.cells) {
      goOn();
      const lines = linesOf(el) - 1;
      for (let i = 0, columns = span(el, "colspan", 20); i < columns; i++) {
        const cell = i === 0 ? { el } : undefined;
        above[line.length] = { cell, lines };
        line.push(cell);
      }
    }
    goOn();
    out.push(line);
  }
  const width = Math.max(0, ...out.map((l) => l.length));
  for (const line of out) while (line.length < width) line.push(undefined);
  return out;
}

/** Joins rows of the same aria-rowindex: grids with fixed columns split a row over their parts. */
export function joined(rows: readonly Element[]): Element[][] {
  const out: Element[][] = [];
  const byIndex = new Map<string, Element[]>();
  for (const row of rows) {
    const index = localName(row) === "tr" ? null : attr(row, "aria-rowindex");
    const known = index === null ? undefined : byIndex.get(index);
    if (known) {
      known.push(row);
      continue;
    }
    const one = [row];
    if (index !== null) byIndex.set(index, one);
    out.push(one);
  }
  return out;
}

/** Whether a table only lays out the page: it has one column, or contains tables, headings or paragraphs. */
export const laysOut = (table: Element, lines: Line[]): boolean =>
  (lines[0]?.length ?? 0) < 2 || hasAny(table, "table,h1,h2,p + p");

const counting = /(?:^|[\s_-])(?:ln|lnt|lineno|linenos|line-?numbers?|blob-num|gutter)(?:[\s_-]|$)/i;

/** Whether el is the line numbers beside code. */
export const gutter = (el: Element): boolean => counting.test(attr(el, "class") ?? "") && /^[\s\d]*$/.test(textContent(el) ?? "");

const numbered = (el: Element): boolean => gutter(el) && (/\d/.test(textContent(el) ?? "") || hasAttr(el, "data-line-number") || hasAny(el, "[data-line-number]"));

/** The cells with code by line, if a table has line numbers in cells of their own; else null. */
export function codeCells(table: Element, rows: readonly Row[]): Element[][] | null {
  const code = rows[0]?.cells.some(gutter) && rows.every((r) => r.cells.length > 0) && rows.some((r) => r.cells.some(numbered)) && !hasAny(table, "h1,h2,p");
  return code ? rows.map((r) => r.cells.filter((c) => !gutter(c))).filter((r) => r.length > 0) : null;
}
