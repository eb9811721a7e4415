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
  description?: string; // ≤ 80 characters of a description shown elsewhere, as by aria-describedby
  behaves?: boolean; // a control by its behaviour only
  static?: boolean; // found by its words: a text, which nothing presses
  draggable?: boolean; // drawn elsewhere rather than pressed
  hint?: string; // without a name: its tooltip or the name of its icon
  near?: string; // without a name, or with the same name as others: the words beside it
  labelled?: boolean; // near begins with its label: its name is the choice that it shows
  ariaHidden?: boolean;
  group?: string; // the landmark or heading around it
  frames?: boolean; // in a list: that landmark is a navigation, banner, search or aside outside of the main part
  overlay?: boolean; // it is in a dialog or overlay
  covered?: boolean; // only in a list: an open overlay would take a press there
  onHover?: boolean; // shows only while the mouse is over its row
  frameOf?: boolean; // an <iframe>: the host lists the child frame in its place
  options?: string[]; // of a select, first 12
  row?: number; // in a list: the number of the row that it is or is in, from 1 on
  stood?: boolean; // with fresh: it was drawn before the last act
  lost?: number; // with stood: the number that it was shown under before it was drawn anew, and could not keep
}

/** A repeated part of the page that contains listed elements. */
export interface RawRow {
  role: string; // row, listitem, article, option, treeitem; else group
  text: string; // its visible text without its controls, at most 160 characters; it may contain the control that opens it
  states?: string[]; // see states.ts
  el?: number; // the id of the row's own element, if it is listed: it can be pressed as a whole
}

export interface ListOptions {
  type?: "button" | "input" | "link" | "select" | "image" | "all";
  visible?: boolean; // only those in the viewport
  query?: string; // words; alternatives are separated by bars
  signs?: Record<string, string>; // by word, the signs that it names
  limit?: number; // hard cap on elements returned, default 5000
  scope?: string; // CSS selector or xpath=…: only elements in its first match
  scopeId?: number; // the same by id
  fresh?: boolean; // marks elements drawn before the last act (stood)
  lead?: boolean; // with first: also the first elements above the view
  first?: number; // lists about so many: overlays, the viewport, then what follows; left counts the rest
}
export interface ListResult {
  elements: RawElement[]; // document order, overlays flagged
  rows?: RawRow[]; // the rows around the elements
  truncated: boolean;
  nodes: number; // nodes walked
  viewport: { width: number; height: number };
  left?: { inView: number; below: number; above: number; covered: number }; // with first: the number of unlisted elements, by place
  modal?: boolean; // a modal dialog is open; elements behind it can't be operated and aren't listed
  paging?: string; // with query: the page's words about which of its rows it shows
  changed?: boolean; // the page kept changing while it was read: elements may be missing or may have moved
  seen: number; // see check
}

export interface FrameSummary {
  url: string;
  title: string;
  readyState: string;
  viewport: { width: number; height: number };
  scroll: { x: number; y: number; maxX: number; maxY: number };
  counts: { buttons: number; inputs: number; links: number; selects: number; images: number; forms: number };
  visibleText: string; // first 500 characters of the visible text, in the viewport and then below
  focused?: { id: number; tag: string };
  overlays: string[]; // names of open dialogs and overlays
  loading?: boolean; // the main part, or a large one, has only a sign that it is being loaded
  lang: string;
  frames: Rect[]; // the viewports of the visible <iframe>s
  list?: ListResult; // if it was asked for
  changed?: boolean; // as in ListResult
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

/** The target of an action: an id, a selector, a point or focused. exact: the selector's match itself, for reading; else the control that a click on it operates. */
export interface Locator {
  id?: number; selector?: string; x?: number; y?: number; focused?: boolean; exact?: boolean;
  part?: boolean; // the selector may be a line that the list prints for a part of the page
  ready?: ClickKind; // the action: the result has at if the target can take it now
}

/** With ambiguous, matches is the number of matches, and seen belongs to the look that shows the candidates. */
export interface ExtractorError { code: string; message: string; candidates?: RawElement[]; cover?: RawElement; matches?: number; seen?: number; over?: number } // over: the id of the element that the mouse must be over for the target to show

export interface Resolved {
  id: number;
  node: number; // the node's serial number: an id may pass to another node when the page redraws
  element: RawElement;
  target: Target;
  iframe?: boolean;
  hovered?: boolean; // its name differs only because the mouse is over it
  part?: number; // the selector's match, if it is a part of the element that acts
  page: { url: string; title: string };
  at?: { point: Point; rect: Rect }; // with ready: the place where it takes the act, if no wait is needed
  seen?: number; // see check; only if the locator was a selector or a point
}

export interface PageFacts { url: string; title: string; text: string; amounts: string[]; items: string[] }

export interface Point { x: number; y: number }

/** The expected input and its target. A frame has one guard at a time; arm replaces it. */
export interface Guard {
  token: string;
  id: number; // the judged node (0 in ancestor frames: let pass only events whose path ends in `frameId`'s element, or none at all)
  node?: number; // Resolved.node: only this node, which the user was asked about
  iframeId?: number; // in an ancestor frame: the <iframe> element the input passes through
  fingerprint: string; // of the judged Target
  seen?: number; // the number of the look that showed the element to the host, as for check
  name?: string;
  dropId?: number; // in a drag: the node that the release must reach; any without it
  dropAt?: boolean; // the drop target was only a point
  kind: "pointer" | "key" | "drag";
  ms: number; // life of the guard; renew restarts it
  whole?: boolean; // a press and its release will come: a release without its press is refused
  submits?: boolean; // the act was judged as one that sends the node's form
  sendsTo?: string; // another form that may be sent: method, space, address
  watch?: boolean; // watch for effects from here on, too
  keep?: boolean; // remember the page's Web Storage, too
  focus?: "caret" | "add" | "select" | "gap"; // focus the node first: to write at the caret, after its text, in place of its text, or at the first gap of a mask
  written?: boolean; // a part of the text was written before
  breaks?: boolean; // Enter is a line break there
  nextId?: number; // the radio button that an arrow key presses, and the first part of its fingerprint
  nextPrint?: string;
  unpainted?: boolean; // do all of this even if the document was not painted yet
}
/**
 * sure: nothing in the document takes input around the guards of the frames.
 * still: the node is where it was at the look that said where it takes input.
 * box: it takes one character, and the page may move the keyboard on by itself.
 * unpainted: the document was not painted yet, and Chrome may drop its input: no node was focused, and nothing is watched.
 */
export interface ArmReport { ok: true; sure: boolean; still: boolean; focused: boolean; box: boolean; unpainted: boolean; page?: PageLines }
export interface GuardReport {
  arrived: number; // events let through
  presses?: number; // presses that were let through with their release
  wentOn?: boolean; // characters went to further boxes of its row
  boxes?: string[]; // … which contain these, unless they are secret
  refused?: boolean; // the page kept the browser from making input of the keys
  stopped: { type: string; why: "other_node" | "facts_changed" | "submits"; on: string; gone: boolean; popup: boolean }[]; // gone: what the event was sent to left the page before the guard saw it; popup: it came over the target with the press
  /** the form that the page itself was about to send, and its default button */
  sending?: { form: Form; button: string };
  stepped?: boolean; // the press itself only changed one number in a field beside the target, as a stepper's arrows do
  acted?: boolean; // the target's facts had changed by the event after its press or release
  active?: boolean; // the guard saw no event, but Chrome reports a recent press or key in the frame
  effects?: Effects; // if they were asked for and nothing was stopped
}

/** The element that leads to an item of a list, or the item itself. */
export interface RowLink { id: number; role: string; name: string }

export interface Change {
  // drawn: shapes of a drawing that are new, gone or moved, as role says; count: how many items a list has; view: what stood in a part of the page gave way to something else, which to begins to say
  kind: "added" | "removed" | "text" | "value" | "checked" | "expanded" | "focus" | "scroll" | "attr" | "lines" | "format" | "said" | "drawn" | "count" | "view" | "title" | "icon" | "invalid" | "open" | "anew"; // anew: a control was drawn anew for another object; open: a dialog that an act in it left open; invalid: what the browser says is wrong with a field
  id?: number; // of the element, if it has or gets one
  role?: string;
  name?: string;
  text?: string; // the text of a new control without a name
  from?: string;
  to?: string;
  rank?: number; // the order of telling, from 1 on (telling.ts)
  row?: string; // the text of the row around the element
  within?: true; // a control in the item told before it
  near?: string; // the words beside a new control without a name, or beside a changed text
  now?: RawElement; // a new control
  items?: { role: string; names: string[]; links: (RowLink | null)[]; came: number }; // with count: the items of the list or its new ones, and how many are new
  hint?: string; // the hint of a control whose name is a sign
  held?: number; // the number of controls in a part that disappeared
  outside?: true; // it is outside the part with most changes
  was?: number; // with anew: the number that it lost
}
/** How many changes of a kind are left out; from and to are set if they were. */
export interface Rest { kind: Change["kind"]; role: string; from: boolean; to: boolean; count: number }

/** The text of a page, one block a line; whole: it is complete. */
export interface PageLines {
  lines: string[];
  whole: boolean;
  unseen: string[]; // the texts of notices that may still fade or slide in
}

/** How a page was reached. again: its address is the previous page's, without query and fragment; same: the whole address is; sent: by sending a form. */
export interface Led { again: boolean; same: boolean; sent: boolean }

/** The text of a page that the page before did not show. */
export interface News {
  news: string[]; // at most 6; on a page that is the same, its notices
  more: number;
  gone: string[]; // at most 3
  moreGone: number;
  same: boolean; // as far as all of both was read
}

export interface Effects {
  url: string;
  focus?: { id: number; tag: string; name: string };
  changes: Change[]; // at most 60, the visible ones
  late?: Change[]; // at most 6: changes between the last report and the act
  launch?: string; // the address of another program that a script wanted to open; it was stopped
  drag?: "prevented" | "refused" | "dropped"; // how a drag ended, if one began
  more: number; // the number left out
  rest?: Rest[]; // what these are, as far as they were compared
  part?: RawElement; // with many changes: the part of the page that contains them
  mutations: number;
  settled: boolean;
  undrawn?: true; // no frame came in time: the tab is covered
  seen: number; // see check
}

export interface EffectOptions {
  quietMs: number; // how long a page that goes on changing must stand still
  firstMs?: number; // how long to wait for a first change; quietMs by default
  maxMs: number;
  staysMs?: number; // how long to wait for an effect of the mouse's staying, if its coming had no visible one
  stop: boolean;
  since?: boolean; // if no act is watched: report changes since the last report, not since the act before it
}

/** The criteria of find; an element must match all that are given. */
export interface Wanted {
  role?: string;
  name?: string;
  text?: string;
  label?: string;
  placeholder?: string;
  alt?: string;
  title?: string;
  testId?: string;
  exact?: boolean; // the whole text, letter by letter; else a part of it, in upper or lower case
  hidden?: boolean; // also invisible elements
  limit?: number;
  scope?: string;
  scopeId?: number;
}

/** A control that answers to what is wanted but is hidden; under: the control that may show it. */
export interface HiddenMatch { role: string; name: string; under?: RawElement }

/** One option of a select, combobox or list box; id if it is an element that can be clicked. */
export interface Choice { id?: number; role?: string; value: string; label: string; selected: boolean; disabled: boolean; group?: string }

/** The values of a slider or spin button that isn't an input, by its aria-value attributes. */
export interface Stepper { now: number | null; min: number | null; max: number | null; text: string }

export interface ElementState {
  visible: boolean; // rendered, and visible once scrolled to
  inView: boolean; // … in this frame's viewport
  rect: Rect;
  enabled: boolean;
  editable: boolean;
  focused?: boolean; // it has the keyboard
  entered?: boolean; // a field in it has the keyboard
  expanded?: boolean; // it says that it is expanded
  console?: boolean; // … of a console, which is sent each key
  editor?: boolean; // an invisible element takes its keys; its value is not the text
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
  attached?: boolean; // the selector matches an element, visible or not
  selector?: RawElement; // the match, if it is visible
  text?: RawElement; // the innermost element with the text
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
  rect?: Rect; // of a frame: its viewport
  children?: AriaNode[];
}

/** list: the controls; nodes refer to them only by id. modal, changed, seen: as in ListResult. */
export interface AriaTree { nodes: AriaNode[]; list: ListResult; truncated: boolean; nodeCount: number; modal?: boolean; changed?: boolean; seen: number }

export interface Content { markdown: string; more: boolean; title: string; changed?: boolean }

/** A wanted option; value matches value, label or position. */
export interface Wish { value?: string; label?: string; position?: number }

export interface Picked {
  option?: RawElement;
  selected?: boolean;
  current?: boolean; // it may be selected only because the pointer or the arrow keys are there
  other?: RawElement; // with current: another option, to point at and see whether this one stays selected
  multiple: boolean;
  shown: number; // options that are there now
  labels: string[]; // the first of them
  more: boolean;
  suggests: boolean; // a field whose list follows the typed text
  expanded: boolean; // the control says that it is open
  popup: "" | "dialog" | "grid"; // the popup it opens if that isn't a list; a dialog may contain one
  closable: boolean; // Escape closes the list and does nothing else
  search?: RawElement; // the field that has the keyboard in the list of a control that takes no text itself
}

export type ClickKind = "click" | "type" | "hover" | "select" | "file" | "drag" | "scroll";

export interface Extractor {
  version: string;
  /** first: adds a list of about so many controls (0: all), from the same walk. */
  summary(o?: { first?: number }): FrameSummary | Promise<FrameSummary>;
  /** Returns a promise for a large page: the work runs in slices between other tasks of its thread (slices.ts). */
  list(o: ListOptions): ListResult | Promise<ListResult>;
  /** Begins a look at a new document, with the options that the host first asks with, as soon as it has loaded. */
  begin(look: "summary" | "list" | "tree"): void;
  /** Takes the report of listeners.js on this frame's elements; false if elements came or went since. */
  hear(told: string): boolean;
  /** Whether elements were added since that report. */
  unheard(): boolean;
  /** Begins the next look with the options of, else the usual ones; it runs for ms even if the page changes (prefetch.ts). */
  ahead(o: { ms: number } & ({ look: "summary"; of?: { first?: number } } | { look: "list"; of?: ListOptions } | { look: "tree"; of?: { scopeId?: number; scope?: string; max: number } })): Promise<void>;
  details(o: { ids: number[] }): { details: RawDetails[]; missing: number[] };
  /** id, facts and the judgeable target of a locator. */
  resolve(l: Locator): Resolved | { error: ExtractorError };
  /**
   * Like resolve for a known id; also fails if the element is no longer the one shown: role and name are as shown, seen is
   * from the look or the effects that showed it. Later looks by others make no difference.
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
  /** Restarts the guard's time; not ok if it has ended. */
  renew(o: { token: string }): { ok: boolean; held?: boolean }; // held: a release was kept from the page
  /** Whether the page moves the focus on from the box that was written in last, within ms. */
  movedOn(o: { token: string; ms: number }): Promise<{ moved: boolean }>;
  /** Focuses the last filled box of a row, from the target on, and selects its character; if none is filled, does so with the target. */
  lastBox(o: { token: string }): { filled: boolean };
  /** Ends the guard and reports what it saw. effects: unless it stopped an event, also waits for them as effects() does. */
  disarm(o: { token: string; effects?: EffectOptions }): GuardReport | Promise<GuardReport>;
  /** Starts to watch for effects, which effects() reports. id: the node of the act. */
  watch(o?: { id?: number; keep?: boolean } | null): { ok: true; page?: PageLines }; // of the tab's own document
  pageLines(): PageLines;
  restoreStorage(): Stored;
  /** The text of the document that the one before it did not show. */
  news(o: PageLines & Led): Promise<News>;
  /** Resolves when the page has settled after a change, or when none came for firstMs, or after maxMs. */
  effects(o: EffectOptions): Promise<Effects>;
  /** Focuses an element; select: also selects its content. */
  focus(o: { id: number; select?: boolean }): { ok: boolean };
  /** Whether the page would take a drop: it accepted the last dragover since the call with begin. */
  takesDrop(o: { begin?: boolean }): { takes: boolean };
  /** Selects all text of a field so that typing replaces it. */
  selectText(o: { id: number }): { ok: boolean };
  /** The text with the values of this frame's secret fields masked. */
  mask(o: { text: string }): { text: string };
  /** The value of a field. drawn: it is the text an editor shows, which may be only a part. is: the typed text; a secret field only tells whether its value ends with it, and its length. */
  value(o: { id: number; is?: string }): { value: string; secret?: string; drawn?: boolean; same?: boolean; size?: number };
  /** The parts of the date or time field around a spin button, and what to type into each for a text such as 2026-12-24T18:30; none if it is no such field. */
  segments(o: { id: number; text: string }): { parts: { part: Resolved; text: string }[] };
  /** The radio button that an arrow key on another one presses; id 0 if there is none. */
  nextRadio(o: { id: number; key: string }): Resolved | { error: ExtractorError } | { id: 0 };
  /** The names of the buttons in the smallest part around an editor that has any. */
  buttonsBeside(o: { id: number }): { buttons: string[] };
  /** Takes the focus from a field and gives it back; value is the field's value in between. */
  leaveAndReturn(o: { id: number; ms: number; text: string }): Promise<{ left: boolean; value: string }>;
  /** within: scrolls at most 80% of the box's visible size; look: doesn't scroll, only tells whether it could. */
  scrollBy(o: { id?: number; items?: string; dx: number; dy: number; within?: boolean; look?: boolean }): { x: number; y: number; moved: boolean; atEnd: boolean; id?: number };
  /** Whether the page has scripts, and its main part shows nothing: what they fetch comes there. */
  isShell(): boolean;
  /** Waits while the page is a shell, and then until nothing more comes. */
  awaitContent(o: { maxMs: number }): Promise<{ ok: true }>;
  /** Resolves when a page that only set a timer at a drag's press has begun the drag, or after maxMs. */
  takenUp(o: { maxMs: number }): Promise<{ ok: true }>;
  /** Resolves when the page has drawn a drag's moves and the items it moves aside stand still, each within maxMs; undrawn: it draws seldom. */
  madeRoom(o: { maxMs: number }): Promise<{ undrawn: boolean }>;
  /**
   * Resolves when the page has drawn the result of a scroll, after minMs at least. frames: a frame came within maxMs;
   * undrawn: it came late; asked: scripts asked for a timer or a frame since the last call.
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
  /** always: also if it is in this frame's viewport; Chrome scrolls the frames around it, too. */
  intoView(o: { id: number; always?: boolean }): { ok: true; inView: boolean } | { error: ExtractorError };
  findBy(o: Wanted): { elements: RawElement[]; total: number; seen: number; hidden?: HiddenMatch } | { error: ExtractorError };
  /** The texts with the words of a query, each with the control beside it. */
  saying(o: { query: string }): { said: Said[]; seen: number };
  probe(o: { selector?: string; text?: string; items?: string; id?: number }): Probe | { error: ExtractorError };
  /** Returns a promise for a large page, as list does; changed as there. */
  tree(o: { scopeId?: number; scope?: string; max: number }): AriaTree | Promise<AriaTree>;
  /** Whether an element may hold a closed shadow root that the host was not asked about. */
  hidden(): boolean | Promise<boolean>;
  /** The page, or an element, as Markdown. Returns a promise for a large page, as list does. */
  content(o: { id?: number; max: number; links: boolean }): Content | { error: ExtractorError } | Promise<Content | { error: ExtractorError }>;
  /** For a screenshot: the click areas of elements, and the boxes of secret fields. */
  spots(o: { ids: number[] }): { spots: { id: number; rect: Rect }[]; secrets: Rect[]; scroll: Point };
  /** For each point the box of the <iframe> that a click there goes into, or null. */
  iframesAt(o: { points: Point[] }): { rects: (Rect | null)[] };
  /** One option of an ARIA list that is open: the element to click. more: the list can be scrolled for others. */
  pick(o: { id: number; wish: Wish }): Picked | { error: ExtractorError };
  /** Scrolls the list of a combobox by 80% of its visible height, further if more is drawn, or to its start. */
  scrollList(o: { id: number; start?: boolean }): { moved: boolean };
  /** The chosen options of a combobox or list box; next: the options in the column that the last pressed one opened. */
  chosen(o: { id: number; labels: string[] }): { value: string; selected: string[]; open: boolean; next: string[] };
  /** Sets a date, time, range or colour field and sends input and change; returns its new value. */
  setField(o: { id: number; value: string }): { value: string } | { error: ExtractorError };
  /** The file input meant by an element: itself, that of a label, the only one within; 0 for none. */
  fileInput(o: { id: number }): { id: number; multiple: boolean };
  stepper(o: { id: number }): Stepper;
  /** Chooses options of a native select and sends input and change. look: only tells the choice; expect: refuses another choice than this. */
  choose(o: { id: number; wishes: Wish[]; look?: boolean; expect?: string[] }): { ok: true; labels: string[]; values: string[] } | { error: ExtractorError };
}
