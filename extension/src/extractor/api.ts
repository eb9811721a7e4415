// The extractor's contract: what the host may call in a frame's isolated world.
// `globalThis.__tabwright` holds an object of type Extractor. Every argument and
// result is plain JSON. Ids are the frame's own (1, 2, 3, …), given once per DOM
// node for the life of the document, held by WeakRef; nothing is ever written
// into the page. Coordinates are CSS pixels of this frame's viewport.
// The Go side is host/action/page, pagecontext/wire.go (list, details, summary) and safety.Target.

import type { Form, Target } from "../gen/safety";
import type { Stored } from "./dom/storage";

export interface Rect { x: number; y: number; width: number; height: number }

export interface RawElement {
  id: number;
  tag: string;
  role: string;
  name: string;
  text: string; // ≤ 50 characters
  type?: string;
  placeholder?: string;
  href?: string; // ≤ 100 characters, data: and tracking parameters cut
  value?: string; // never of a secret field
  visible: boolean; // in the viewport
  enabled: boolean;
  rect: Rect;
  checked?: "true" | "false" | "mixed";
  expanded?: boolean;
  selected?: boolean;
  required?: boolean;
  invalid?: boolean;
  pressed?: boolean;
  current?: boolean;
  haspopup?: string;
  level?: number;
  secret?: string;
  description?: string; // ≤ 80 characters of what is shown elsewhere to describe it, as by aria-describedby
  behaves?: boolean; // control by behaviour only
  draggable?: boolean; // drawn elsewhere rather than pressed
  hint?: string; // of one without a name: what its tooltip or its icon is called
  near?: string; // of one without a name, or with that of others: the words it stands beside
  ariaHidden?: boolean;
  group?: string; // the landmark or heading it stands in
  overlay?: boolean; // stands in a dialog or overlay
  covered?: boolean; // an open overlay takes what would be pressed there; told in a list
  onHover?: boolean; // shows only while the mouse is over its row
  frameOf?: boolean; // an <iframe>: the host lists the child frame in its place
  options?: string[]; // of a select, first 12
  row?: number; // in a list: which of its rows it stands in, or is, from 1 on
  stood?: boolean; // with fresh: it was drawn before the last act
}

/** The repeated part of the page that listed elements stand in. */
export interface RawRow {
  role: string; // row, listitem, article, option, treeitem; group of all else
  text: string; // what a user reads in it besides its controls, at most 160 characters; what opens it may be said as well
  states?: string[]; // see states.ts
  el?: number; // the listed element that it is, where it can be pressed as a whole
}

export interface ListOptions {
  type?: "button" | "input" | "link" | "select" | "image" | "all";
  visible?: boolean; // only those in the viewport
  query?: string; // words, of which alternatives are parted by bars
  signs?: Record<string, string>; // by each of the words, the signs that are called so
  limit?: number; // hard cap on elements returned, default 5000
  scope?: string; // CSS selector or xpath=…: only what stands within its first match
  scopeId?: number; // the same by id
  fresh?: boolean; // says what was drawn before the last act
  lead?: boolean; // with first: the beginning of what is above the view, too
  first?: number; // about so many: overlays, the viewport, then what follows; the rest is counted in left
}
export interface ListResult {
  elements: RawElement[]; // document order, overlays flagged
  rows?: RawRow[]; // that they stand in
  truncated: boolean;
  nodes: number; // nodes walked
  viewport: { width: number; height: number };
  left?: { inView: number; below: number; above: number; covered: number }; // with first: what is not listed, by where it is
  modal?: boolean; // a modal dialog is open; what is behind it can't be operated and is not listed
  paging?: string; // where words were asked for: what the page says of which of its rows it shows
  changed?: boolean; // the page changed again and again while it was read: something may be missing, or no more where it is said to be
  seen: number; // see check
}

export interface FrameSummary {
  url: string;
  title: string;
  readyState: string;
  viewport: { width: number; height: number };
  scroll: { x: number; y: number; maxX: number; maxY: number };
  counts: { buttons: number; inputs: number; links: number; selects: number; images: number; forms: number };
  visibleText: string; // first 500 characters of what a user sees in the viewport, then below
  focused?: { id: number; tag: string };
  overlays: string[]; // names of open dialogs and overlays
  lang: string;
  frames: Rect[]; // the viewports of the <iframe>s a user sees
  list?: ListResult; // where it was asked for
  changed?: boolean; // as of the list
}

export interface RawDetails extends RawElement {
  attributes: Record<string, string>; // values of secrets masked, each ≤ 300 characters
  selector: string;
  xpath: string;
  parentText?: string;
  childCount: number;
  ancestors: string[]; // roles
  allOptions?: { value: string; label: string; selected: boolean }[];
}

/** Where an action wants to go: exactly one of the four. exact: the match of the selector itself, for reading; else what a click on it works. */
export interface Locator {
  id?: number; selector?: string; x?: number; y?: number; focused?: boolean; exact?: boolean;
  part?: boolean; // the selector may be a line that the list prints of a part of the page
  ready?: ClickKind; // what it is to take: also says whether it can right now
}

/** matches, seen: with ambiguous, how many there are, and as of a look that shows candidates. */
export interface ExtractorError { code: string; message: string; candidates?: RawElement[]; cover?: RawElement; matches?: number; seen?: number; over?: number } // over: what the mouse has to be over for the element to show

export interface Resolved {
  id: number;
  node: number; // tells the node from all others: what is drawn anew may take over an id
  element: RawElement;
  target: Target;
  iframe?: boolean;
  hovered?: boolean; // it is called something else only while the mouse is over it
  part?: number; // the match of the selector, where it is a part of the element that acts
  page: { url: string; title: string };
  at?: { point: Point; rect: Rect }; // with ready: where it takes the act, if nothing need be waited for
  seen?: number; // see check; of an element that was named anew
}

export interface PageFacts { url: string; title: string; text: string; amounts: string[]; items: string[] }

export interface Point { x: number; y: number }

/** What must arrive, and where. One guard at a time per frame; arm replaces. */
export interface Guard {
  token: string;
  id: number; // the judged node (0 in ancestor frames: let pass only events whose path ends in `frameId`'s element, or none at all)
  node?: number; // Resolved.node: no other node will do, as the user was asked about this one
  iframeId?: number; // in an ancestor frame: the <iframe> element the input passes through
  fingerprint: string; // of the judged Target
  seen?: number; // as of check: what the element stood for when it was shown
  name?: string;
  dropId?: number; // of a drag: the node that releasing must reach; without it any
  dropAt?: boolean; // only a point was named to drop it at
  kind: "pointer" | "key" | "drag";
  ms: number; // life of the guard; renew begins it anew
  whole?: boolean; // a press and its release are to come: a release alone was led here without its press
  submits?: boolean; // the act is judged as one that sends the node's form
  sendsTo?: string; // a form that may be sent as well: method, space, address
  watch?: boolean; // watch for effects from here on, too
  keep?: boolean; // what is kept in the browser is remembered, too
  focus?: "caret" | "add" | "select" | "gap"; // give the node the keyboard first: to write where the caret is or behind what it holds, in its place, or where a mask is open
  written?: boolean; // a part of what is to be written there went in before
  breaks?: boolean; // Enter is a line break there
  nextId?: number; // the radio button that an arrow key presses, and the first part of its fingerprint
  nextPrint?: string;
  unpainted?: boolean; // all of it even if the document was not painted yet
}
/**
 * sure: nothing in the document takes input past the guards of the frames.
 * still: the node is where it was at the look that said where it takes input.
 * box: it takes one character, and the page may move the keyboard on by itself.
 * unpainted: the document was not painted yet, and Chrome may drop what comes to it: neither the keyboard was given nor is anything watched.
 */
export interface ArmReport { ok: true; sure: boolean; still: boolean; focused: boolean; box: boolean; unpainted: boolean; page?: PageLines }
export interface GuardReport {
  arrived: number; // events let through
  presses?: number; // those that began and ended there
  wentOn?: boolean; // characters went to further boxes of its row
  boxes?: string[]; // … which hold these, if they are no secret
  refused?: boolean; // the page kept the browser from making input of the keys
  stopped: { type: string; why: "other_node" | "facts_changed" | "submits"; on: string; gone: boolean; popup: boolean }[]; // gone: what the event was sent to left the page before the guard saw it; popup: it came over the target with the press
  /** the form that the page itself was about to send, and its default button */
  sending?: { form: Form; button: string };
  stepped?: boolean; // all that the press itself changed is one number in a field beside the target, as a stepper's arrows do
  acted?: boolean; // the target was something else as soon as it was pressed
  active?: boolean; // the frame has been pressed or typed in of late, whoever heard of it
  effects?: Effects; // where they were asked for and nothing was stopped
}

/** What leads to an item of a list, or is the item. */
export interface RowLink { id: number; role: string; name: string }

export interface Change {
  // drawn: shapes of a drawing that are new, gone or moved, as role says; count: how many items a list has; view: what stood in a part of the page gave way to something else, which to begins to say
  kind: "added" | "removed" | "text" | "value" | "checked" | "expanded" | "focus" | "scroll" | "attr" | "lines" | "format" | "said" | "drawn" | "count" | "view" | "title" | "icon" | "invalid" | "open"; // open: a dialog that an act in it left open; invalid: what the browser says is wrong with a field
  id?: number; // of the element concerned, when it has or gets one
  role?: string;
  name?: string;
  text?: string; // what a control says that came without a name
  from?: string;
  to?: string;
  rank?: number; // what is told first, from 1 on (telling.ts)
  row?: string; // what the row says that the element stands in
  within?: true; // a control that stands in the item told before it
  near?: string; // the words beside a control that came without a name, or what a text stands beside that is another now
  now?: RawElement; // what a control is that came
  items?: { role: string; names: string[]; links: (RowLink | null)[]; came: number }; // of a count: what the list has now, or what came to it, and how many came
  hint?: string; // what a control shows that is called by a sign
  held?: number; // how many controls stood in a part that went
  outside?: true; // it stands outside of the part that most changes are in
}
/** The words of a page, a block a line; whole: all of them. */
export interface PageLines { lines: string[]; whole: boolean }

/** What led to a page: again: its address is that of the one before, but for what is asked of it; same: as a whole; sent: a form was. */
export interface Led { again: boolean; same: boolean; sent: boolean }

/** What a page shows that the one before did not. */
export interface News {
  news: string[]; // at most 6
  more: number;
  gone: string[]; // at most 3
  same: boolean; // as far as all of both was read
}

export interface Effects {
  url: string;
  focus?: { id: number; tag: string; name: string };
  changes: Change[]; // at most 60, the visible ones
  late?: Change[]; // at most 6: what came before the act, after the look that was told of last
  launch?: string; // where a script wanted to go with another program, which was stopped
  more: number; // what was left out
  part?: RawElement; // of many changes, where they are
  mutations: number;
  settled: boolean;
  undrawn?: true; // no frame came in its time: the tab is covered
  seen: number; // see check
}

export interface EffectOptions {
  quietMs: number; // how long a page that goes on changing must stand still
  firstMs?: number; // how long a first change is waited for; quietMs if left out
  maxMs: number;
  staysMs?: number; // how long what comes of the mouse's staying is waited for, where nothing is seen of its coming
  stop: boolean;
  since?: boolean; // where no act is watched: tell what changed since the last report, and not since the act before it
}

/** What find looks for: all that is given must hold. */
export interface Wanted {
  role?: string;
  name?: string;
  text?: string;
  label?: string;
  placeholder?: string;
  alt?: string;
  title?: string;
  testId?: string;
  exact?: boolean; // whole text, letter by letter; else a part of it in any case
  hidden?: boolean; // also what nobody sees
  limit?: number;
  scope?: string;
  scopeId?: number;
}

/** One option of a select, combobox or list box; id where it is an element that can be clicked. */
export interface Choice { id?: number; role?: string; value: string; label: string; selected: boolean; disabled: boolean; group?: string }

/** A slider or spin button that is no input: as it says by aria-valuenow and the like. */
export interface Stepper { now: number | null; min: number | null; max: number | null; text: string }

export interface ElementState {
  visible: boolean; // rendered, and seen by a user once scrolled to
  inView: boolean; // … in this frame's viewport
  rect: Rect;
  enabled: boolean;
  editable: boolean;
  focused?: boolean; // it has the keyboard
  entered?: boolean; // a field in it has
  expanded?: boolean; // it says that what it opens is open
  console?: boolean; // … of a console, which is sent each key
  editor?: boolean; // a textarea that nobody sees takes its keys: what it holds is not the text
  checked?: "true" | "false" | "mixed";
}

/** The page after a step of scrolling or waiting. */
export interface Said { text: string; near?: RawElement }

export interface Probe {
  readyState: string;
  url: string;
  y: number;
  height: number;
  view: number;
  nodes: number;
  attached?: boolean; // the selector matches something, seen or not
  selector?: RawElement; // … that is seen
  text?: RawElement; // the block that holds the text
  items?: number;
  id?: number;
}

/** A node of the tree of roles. Text has role "text" and no id. */
export interface AriaNode {
  id?: number;
  role: string;
  tag?: string;
  name?: string;
  level?: number;
  checked?: string;
  expanded?: boolean;
  selected?: boolean;
  pressed?: boolean;
  current?: boolean;
  disabled?: boolean;
  frameOf?: boolean;
  rect?: Rect; // of a frame: where its viewport is
  children?: AriaNode[];
}

/** list: what can be operated; of that the nodes say no more than which it is. modal, changed, seen: as of the list. */
export interface AriaTree { nodes: AriaNode[]; list: ListResult; truncated: boolean; nodeCount: number; modal?: boolean; changed?: boolean; seen: number }

export interface Content { markdown: string; more: boolean; title: string; changed?: boolean }

/** An option that is wanted; value matches value, label or position. */
export interface Wish { value?: string; label?: string; position?: number }

export interface Picked {
  option?: RawElement;
  selected?: boolean;
  current?: boolean; // a selected one may be no more than where the pointer or the arrow keys are
  other?: RawElement; // what to point at to see that
  multiple: boolean;
  shown: number; // options that are there now
  labels: string[]; // the first of them
  more: boolean;
  suggests: boolean; // a field whose list follows what is typed
  expanded: boolean; // the control says that it is open
  popup: "" | "dialog" | "grid"; // what it opens where that is no list; in a dialog one may be
  closable: boolean; // by Escape, which does nothing else then
  search?: RawElement; // the field that has the keyboard in the list of a control that takes no text itself
}

export type ClickKind = "click" | "type" | "hover" | "select" | "file" | "drag" | "scroll";

export interface Extractor {
  version: string;
  /** first: with the list of about so many controls (0: all), from one walk. */
  summary(o?: { first?: number }): FrameSummary | Promise<FrameSummary>;
  /** Of a large page a promise: the work is spread over its thread's other tasks (slices.ts). */
  list(o: ListOptions): ListResult | Promise<ListResult>;
  /** Begins a look at a new document, with the options that the host first asks with, as soon as it has loaded. */
  begin(look: "summary" | "tree"): void;
  /** Takes what listeners.js says of the elements of this frame; false where elements came or went since. */
  hear(told: string): boolean;
  /** Whether elements came since it was said what they hear. */
  unheard(): boolean;
  /** Begins the look that is asked for next, of: with these options, or the usual ones; for so many ms even where the page changes (prefetch.ts). */
  ahead(o: { look: "summary"; of?: { first?: number }; ms: number } | { look: "tree"; of?: { scopeId?: number; scope?: string; max: number }; ms: number }): Promise<void>;
  details(o: { ids: number[] }): { details: RawDetails[]; missing: number[] };
  /** id, facts and the judgeable target of a locator. */
  resolve(l: Locator): Resolved | { error: ExtractorError };
  /**
   * like resolve for an id already known, and whether it is still what it was: name/role given as seen, and the seen of the
   * look, or the effects, by which it was shown; what others were shown of it since changes nothing.
   */
  check(o: { id: number; role: string; name: string; seen?: number; ready?: ClickKind }): Resolved | { error: ExtractorError };
  /** brief: address and title only. */
  pageFacts(o: { id?: number; brief?: boolean }): PageFacts;
  /** Scrolls into view, waits until visible, stable, enabled and hit; async; point in this frame's viewport. */
  ready(o: { id: number; kind: ClickKind; timeoutMs: number; moving?: boolean; part?: number; over?: number }): Promise<{ point: Point; rect: Rect; moving?: boolean } | { error: ExtractorError }>;
  /** Just before the input: does the point still hit the node (or a descendant / its label)? */
  hits(o: { id: number; x: number; y: number }): Promise<{ ok: boolean; beside?: boolean; cover?: RawElement }>;
  arm(g: Guard): ArmReport | Promise<ArmReport>;
  /** Waits for the document's first paint, for so many ms at most. */
  painted(o: { ms: number }): Promise<{ painted: boolean }>;
  /** Begins the guard's time anew; not ok when it is over. */
  renew(o: { token: string }): { ok: boolean; held?: boolean }; // held: a release was kept from the page
  /** effects: unless the guard stopped something, waits for them as effects() does. */
  /** Waits until the page moves the keyboard on from the box that was written in last. */
  movedOn(o: { token: string; ms: number }): Promise<{ moved: boolean }>;
  /** Gives the last box of a row that holds something the keyboard, with that selected; where none does, the first one. */
  lastBox(o: { token: string }): { filled: boolean };
  disarm(o: { token: string; effects?: EffectOptions }): GuardReport | Promise<GuardReport>;
  /** Starts to watch for effects; effects() reports since then. id: the node that the act is on. */
  watch(o?: { id?: number; keep?: boolean } | null): { ok: true; page?: PageLines }; // of the tab's own document
  pageLines(): PageLines;
  restoreStorage(): Stored;
  /** What the document shows that the one before it did not. */
  news(o: PageLines & Led): News;
  /** Resolves when the page has settled after a change, or when none came for firstMs, or after maxMs. */
  effects(o: EffectOptions): Promise<Effects>;
  /** select: what it holds, too. */
  focus(o: { id: number; select?: boolean }): { ok: boolean };
  /** Whether the page takes what was dragged over it since it was called to begin. */
  takesDrop(o: { begin?: boolean }): { takes: boolean };
  /** Selects all text of a field so that typing replaces it. */
  selectText(o: { id: number }): { ok: boolean };
  /** The text without the values that stand in secret fields of this frame. */
  mask(o: { text: string }): { text: string };
  /** drawn: it is what an editor shows, which may be a part of it. is: what was typed; of a secret only whether it ends with that is told, and how many characters it holds. */
  value(o: { id: number; is?: string }): { value: string; secret?: string; drawn?: boolean; same?: boolean; size?: number };
  /** The radio button that an arrow key on one presses; id 0 where it presses none. */
  nextRadio(o: { id: number; key: string }): Resolved | { error: ExtractorError } | { id: 0 };
  /** The names of the buttons in the smallest part around an editor that has any. */
  buttonsBeside(o: { id: number }): { buttons: string[] };
  /** Has a field left and entered again; value is what it held between. */
  leaveAndReturn(o: { id: number; ms: number; text: string }): Promise<{ left: boolean; value: string }>;
  /** within: no further than most of what the scrolled box shows; look: not at all, only whether one could. */
  scrollBy(o: { id?: number; items?: string; dx: number; dy: number; within?: boolean; look?: boolean }): { x: number; y: number; moved: boolean; atEnd: boolean; id?: number };
  /** When a page that answered to a drag's press with nothing but a timer has taken it up, or after maxMs. */
  takenUp(o: { maxMs: number }): Promise<{ ok: true }>;
  /** When the page has drawn a drag's moves and what it moves out of the way stands still, each within maxMs; undrawn: it draws seldom. */
  madeRoom(o: { maxMs: number }): Promise<{ undrawn: boolean }>;
  /**
   * When the page has drawn what a scroll asked of it: at least minMs, at most maxMs; frames: whether it draws at all,
   * undrawn: seldom; asked: its scripts have asked for a timer or a frame since the last time.
   */
  drawn(o: { minMs: number; maxMs: number }): Promise<{ frames: boolean; undrawn: boolean; asked: boolean }>;
  /** The live node itself, for CDP (DOM.setFileInputFiles, Overlay, DOM.describeNode): called without returnByValue. */
  node(o: { id: number }): Element | null;
  /** A node handed in by CDP gets an id here (an iframe's owner element; roots of closed shadow trees in the direct driver). */
  adopt(node: Node): { id: number; rect: Rect };
  // Reading one element or the page; id left out means the page.
  text(o: { id?: number; max: number }): { text: string; more: boolean } | { error: ExtractorError };
  attribute(o: { id: number; name: string }): { value: string | null; masked?: boolean } | { error: ExtractorError };
  html(o: { id?: number; inner?: boolean; max: number }): { html: string; more: boolean } | { error: ExtractorError };
  state(o: { id: number }): ElementState | { error: ExtractorError };
  options(o: { id: number; max: number }): { options: Choice[]; native: boolean; open: boolean; multiple: boolean; more: number; seen: number } | { error: ExtractorError };
  viewport(): { width: number; height: number };
  /** always: also where it is in this frame's viewport; Chrome scrolls the frames around it, too. */
  intoView(o: { id: number; always?: boolean }): { ok: true; inView: boolean } | { error: ExtractorError };
  findBy(o: Wanted): { elements: RawElement[]; total: number; seen: number } | { error: ExtractorError };
  /** What is said with the words of a query, and the control beside it. */
  saying(o: { query: string }): { said: Said[]; seen: number };
  probe(o: { selector?: string; text?: string; items?: string; id?: number }): Probe | { error: ExtractorError };
  /** Of a large page a promise, as of list; changed as there. */
  tree(o: { scopeId?: number; scope?: string; max: number }): AriaTree | Promise<AriaTree>;
  /** Whether an element may hold a closed shadow root that the host was not asked about. */
  hidden(): boolean | Promise<boolean>;
  /** The page, or an element, as Markdown. */
  /** A promise as of list. */
  content(o: { id?: number; max: number; links: boolean }): Content | { error: ExtractorError } | Promise<Content | { error: ExtractorError }>;
  /** For a picture: where those elements can be clicked, and the boxes of secret fields. */
  spots(o: { ids: number[] }): { spots: { id: number; rect: Rect }[]; secrets: Rect[]; scroll: Point };
  /** For each point the box of the <iframe> that a click there goes into, or null. */
  iframesAt(o: { points: Point[] }): { rects: (Rect | null)[] };
  /** One option of an ARIA list that is open: the element to click. more: the list can be scrolled for others. */
  pick(o: { id: number; wish: Wish }): Picked | { error: ExtractorError };
  /** Scrolls the list of a combobox by most of what it shows, further where more is drawn, or to its start. */
  scrollList(o: { id: number; start?: boolean }): { moved: boolean };
  /** What a combobox or list box says is chosen; next are the options that the last of those pressed has opened beside it. */
  chosen(o: { id: number; labels: string[] }): { value: string; selected: string[]; open: boolean; next: string[] };
  /** Sets a date, time, range or colour field, with input and change; value is what it holds then. */
  setField(o: { id: number; value: string }): { value: string } | { error: ExtractorError };
  /** The file input meant by an element: itself, that of a label, the only one within; 0 for none. */
  fileInput(o: { id: number }): { id: number; multiple: boolean };
  stepper(o: { id: number }): Stepper;
  /** One or several options of a native select, with input and change. With look only says what would be chosen; with expect refuses to choose anything else. */
  choose(o: { id: number; wishes: Wish[]; look?: boolean; expect?: string[] }): { ok: true; labels: string[]; values: string[] } | { error: ExtractorError };
}
