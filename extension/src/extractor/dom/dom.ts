// Reading the DOM where a page can't fool us. A form (or the document) gives
// its named children priority over its own properties, so that <input
// name="parentNode"> hides form.parentNode even from an isolated world: every
// property of an element that may be a form, and of the document, is read
// through the prototypes' own getters.

function getter<O, R>(proto: object, key: string): (o: O) => R {
  const get = Object.getOwnPropertyDescriptor(proto, key)?.get as ((this: O) => R) | undefined;
  if (!get) throw new Error(`tabwright: this browser has no ${key}`);
  return (o) => get.call(o);
}

export const parentNode = getter<Node, Node | null>(Node.prototype, "parentNode");
export const firstChild = getter<Node, Node | null>(Node.prototype, "firstChild");
export const nextSibling = getter<Node, Node | null>(Node.prototype, "nextSibling");
export const nodeType = getter<Node, number>(Node.prototype, "nodeType");
export const isConnected = getter<Node, boolean>(Node.prototype, "isConnected");
export const textContent = getter<Node, string | null>(Node.prototype, "textContent");
export const localName = getter<Element, string>(Element.prototype, "localName");
export const childElementCount = getter<Element, number>(Element.prototype, "childElementCount");
export const scrollTop = getter<Element, number>(Element.prototype, "scrollTop");
export const scrollLeft = getter<Element, number>(Element.prototype, "scrollLeft");
export const scrollHeight = getter<Element, number>(Element.prototype, "scrollHeight");
export const scrollWidth = getter<Element, number>(Element.prototype, "scrollWidth");
export const clientHeight = getter<Element, number>(Element.prototype, "clientHeight");
export const clientWidth = getter<Element, number>(Element.prototype, "clientWidth");
export const openShadow = getter<Element, ShadowRoot | null>(Element.prototype, "shadowRoot");
export const firstElement = getter<Element, Element | null>(Element.prototype, "firstElementChild");
const rootFirstElement = getter<DocumentFragment, Element | null>(DocumentFragment.prototype, "firstElementChild");
export const nextElement = getter<Element, Element | null>(Element.prototype, "nextElementSibling");
/** Whether e has at least n child elements; meant for small n. */
export function hasSeveral(e: Element, n: number): boolean {
  let c = firstElement(e);
  for (; c && n > 1; n--) c = nextElement(c);
  return c !== null;
}
export const previousElement = getter<Element, Element | null>(Element.prototype, "previousElementSibling");
const elementChildren = getter<Element, HTMLCollection>(Element.prototype, "children");
const attributesOf = getter<Element, NamedNodeMap>(Element.prototype, "attributes");
const slotOfElement = getter<Element, HTMLSlotElement | null>(Element.prototype, "assignedSlot");
const slotOfText = getter<Text, HTMLSlotElement | null>(Text.prototype, "assignedSlot");
export const previousSibling = getter<Node, Node | null>(Node.prototype, "previousSibling");
export const namespaceOf = getter<Element, string | null>(Element.prototype, "namespaceURI");
export const baseOf = getter<Node, string>(Node.prototype, "baseURI");
const contentEditableOf = getter<HTMLElement, boolean>(HTMLElement.prototype, "isContentEditable");

export const formElements = getter<HTMLFormElement, HTMLFormControlsCollection>(HTMLFormElement.prototype, "elements");
export const formAction = getter<HTMLFormElement, string>(HTMLFormElement.prototype, "action");
export const formMethod = getter<HTMLFormElement, string>(HTMLFormElement.prototype, "method");

const elementsOf = Document.prototype.getElementsByTagName;

/** The number of elements in the document, without shadow trees; the browser recounts only after a change. */
export const elementsIn = (): number => elementsOf.call(document, "*").length;

const docElement = getter<Document, HTMLElement | null>(Document.prototype, "documentElement");
const docBody = getter<Document, HTMLElement | null>(Document.prototype, "body");
const docTitle = getter<Document, string>(Document.prototype, "title");
const docReady = getter<Document, DocumentReadyState>(Document.prototype, "readyState");
const docActive = getter<Document, Element | null>(Document.prototype, "activeElement");
const docLocked = getter<Document, Element | null>(Document.prototype, "pointerLockElement");
const docScroller = getter<Document, Element | null>(Document.prototype, "scrollingElement");
const rootActive = getter<ShadowRoot, Element | null>(ShadowRoot.prototype, "activeElement");

export const doc = {
  get root(): HTMLElement | null { return docElement(document); },
  get body(): HTMLElement | null { return docBody(document); },
  get title(): string { return docTitle(document); },
  get readyState(): DocumentReadyState { return docReady(document); },
  get active(): Element | null { return docActive(document); },
  get scroller(): Element | null { return docScroller(document); },
  /** The element that has locked the pointer and takes each press. */
  get pointerLock(): Element | null { return docLocked(document); },
  unlockPointer(): void { exitLock.call(document); },
  get forms(): number { return all(document, "form").length; },
};

const has = Element.prototype.hasAttribute;
const get = Element.prototype.getAttribute;
const some = Element.prototype.hasAttributes;
const names = Element.prototype.getAttributeNames;
const boundingRect = Element.prototype.getBoundingClientRect;
const rectsOf = Element.prototype.getClientRects;
const visibility = Element.prototype.checkVisibility;
const matchesOf = Element.prototype.matches;
const rootNode = Node.prototype.getRootNode;
const docAll = Document.prototype.querySelectorAll;
const fragmentAll = DocumentFragment.prototype.querySelectorAll;
const elementAll = Element.prototype.querySelectorAll;
const docOne = Document.prototype.querySelector;
const fragmentOne = DocumentFragment.prototype.querySelector;
const elementOne = Element.prototype.querySelector;
const docById = Document.prototype.getElementById;
const fragmentById = DocumentFragment.prototype.getElementById;
const docAt = Document.prototype.elementFromPoint;
const docStack = Document.prototype.elementsFromPoint;
const docWalker = Document.prototype.createTreeWalker;
const docRange = Document.prototype.createRange;
const docXPath = Document.prototype.evaluate;
const order = Node.prototype.compareDocumentPosition;
const intoView = Element.prototype.scrollIntoView;
const scrollElement = Element.prototype.scrollBy as (o: ScrollToOptions) => void;
const listen = EventTarget.prototype.addEventListener;
const unlisten = EventTarget.prototype.removeEventListener;
const containsNode = Node.prototype.contains;
const exitLock = Document.prototype.exitPointerLock;
const docAnimations = Document.prototype.getAnimations;
const fragmentAnimations = ShadowRoot.prototype.getAnimations;

export const attr = (el: Element, name: string): string | null => get.call(el, name);
export const hasAttr = (el: Element, name: string): boolean => has.call(el, name);
export const hasAttrs = (el: Element): boolean => some.call(el);
/** The attributes' names: one call costs less than a hasAttr for each of a dozen. */
export const attrNames = (el: Element): string[] => names.call(el);
/** Whether el has an attribute other than class and style; most elements have none. */
export function speaks(el: Element): boolean {
  if (!some.call(el)) return false;
  for (const name of names.call(el)) if (name !== "class" && name !== "style") return true;
  return false;
}
export const attributes = (el: Element): NamedNodeMap => attributesOf(el);
export const rectOf = (el: Element): DOMRect => boundingRect.call(el);
export const clientRects = (el: Element): DOMRectList => rectsOf.call(el);
export const hasBox = (el: Element): boolean => visibility.call(el);
const painted = { opacityProperty: true, visibilityProperty: true };

// A look asks several times whether an element is painted: for itself, for its name,
// for the text of the elements around it.
let known: Map<Element, boolean> | null = null;
let keeper: ((el: Element) => boolean | undefined) | null = null;
let within: readonly Scope[] | null = null;
let passes = 0;

/** The number of the running pass, in which the page can't change; 0 if none runs. */
export const pass = (): number => known ? passes : 0;

/** Runs fn as a pass: it is synchronous, so the page can't change. goesOn: the page hasn't changed since the last pass, which goes on. */
export function unchanged<T>(fn: () => T, goesOn = false): T {
  known = new Map();
  if (!goesOn) passes++;
  try {
    return fn();
  } finally {
    known = keeper = within = null;
  }
}

/** Registers, for this pass, a source of answers to isPainted; it returns undefined for elements that it doesn't know. */
export function keepsPainted(said: (el: Element) => boolean | undefined): void {
  if (known) keeper = said;
}

export const askPainted = (el: Element): boolean => visibility.call(el, painted);

/** Like askPainted, but asks once in a pass. */
export function isPainted(el: Element): boolean {
  let v = known?.get(el);
  if (v === undefined) {
    v = keeper?.(el) ?? askPainted(el);
    known?.set(el, v);
  }
  return v;
}
export const matches = (el: Element, selector: string): boolean => matchesOf.call(el, selector);
export const rootOf = (n: Node): Node => rootNode.call(n);
export const contains = (a: Node, b: Node | null): boolean => containsNode.call(a, b);

export type Scope = Document | ShadowRoot;

export function all(scope: Scope | Element, selector: string): NodeListOf<Element> {
  if (isElement(scope)) return elementAll.call(scope, selector) as NodeListOf<Element>;
  return (scope instanceof Document ? docAll : fragmentAll).call(scope, selector) as NodeListOf<Element>;
}

/** The first match of all, found without making a list. */
export function firstIn(scope: Scope | Element, selector: string): Element | null {
  if (isElement(scope)) return elementOne.call(scope, selector);
  return (scope instanceof Document ? docOne : fragmentOne).call(scope, selector);
}

/** Whether all would find a match. */
export const hasAny = (scope: Scope | Element, selector: string): boolean => firstIn(scope, selector) !== null;

export function byId(scope: Node, id: string): Element | null {
  if (scope instanceof Document) return docById.call(scope, id);
  if (scope instanceof DocumentFragment) return fragmentById.call(scope, id);
  return null;
}

/** The animations and transitions of one tree, without those of its shadow trees. */
export function animationsIn(root: Node): Animation[] {
  if (root instanceof Document) return docAnimations.call(root);
  return root instanceof ShadowRoot ? fragmentAnimations.call(root) : [];
}

export const stackAt = (x: number, y: number): Element[] => docStack.call(document, x, y);
export const walker = (from: Node, what: number): TreeWalker => docWalker.call(document, from, what);
export const newRange = (): Range => docRange.call(document);
export const comesBefore = (a: Node, b: Node): boolean => (order.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
/** Whether b comes after a in the same tree; descendants of a do. */
export const isBehind = (a: Node, b: Node): boolean =>
  (order.call(a, b) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_DISCONNECTED)) === Node.DOCUMENT_POSITION_FOLLOWING;
export const scrollIntoView = (el: Element, o: ScrollIntoViewOptions): void => { intoView.call(el, o); };
export const scrollElementBy = (el: Element, o: ScrollToOptions): void => { scrollElement.call(el, o); };
export const childrenOf = (el: Element): Element[] => [...elementChildren(el)];
export const xpath = (path: string): XPathResult =>
  docXPath.call(document, path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
export const onDocument = (type: string, fn: (e: Event) => void): void => {
  listen.call(document, type, fn, { capture: true, passive: true });
};
export const offDocument = (type: string, fn: (e: Event) => void): void => {
  unlisten.call(document, type, fn, { capture: true });
};
export const elementAt = (x: number, y: number): Element | null => docAt.call(document, x, y);

export const isElement = (n: Node | null): n is Element => n !== null && nodeType(n) === 1;
export const isText = (n: Node | null): n is Text => n !== null && nodeType(n) === 3;
export const isHTML = (n: Node | null): n is HTMLElement => n instanceof HTMLElement;

/** Whether el is editable by contenteditable or designMode, its own or an ancestor's. */
export const editableContent = (el: Element): boolean => isHTML(el) && contentEditableOf(el);

const editContextOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "editContext")?.get as ((this: HTMLElement) => unknown) | undefined;

/** Whether el has an EditContext: it takes the keys for an editor that draws its text itself, without contenteditable. */
export const editsByContext = (el: Element): boolean => isHTML(el) && editContextOf !== undefined && editContextOf.call(el) !== null;

// Shadow trees ---------------------------------------------------------------

const adopted = new WeakMap<Element, ShadowRoot>();

interface ChromeDom { dom?: { openOrClosedShadowRoot?: (el: Element) => ShadowRoot | null } }
const closedRoot = (globalThis as unknown as { chrome?: ChromeDom }).chrome?.dom?.openOrClosedShadowRoot;

// Elements that can hold a shadow root by the DOM standard's attachShadow.
const plainHosts = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5",
  "h6", "header", "main", "nav", "p", "section", "span"]);

/** Registers a closed root that the host found (in a world without chrome.dom); returns its host element. */
export function adoptRoot(root: ShadowRoot): Element {
  adopted.set(root.host, root);
  return root.host;
}

// By local name, whether a shadow root can be attached; a page has a few dozen names.
const hosting = new Map<string, boolean>();

export function mayHost(name: string): boolean {
  let may = hosting.get(name);
  if (may === undefined) {
    if (hosting.size > 1000) hosting.clear();
    hosting.set(name, may = plainHosts.has(name) || name.includes("-"));
  }
  return may;
}

/** The shadow root of an element, open or, if we may see it, closed; else null. name: its local name, if known. */
export function shadowOf(el: Element, name?: string): ShadowRoot | null {
  if (name !== undefined && !mayHost(name)) return null;
  const open = openShadow(el);
  if (open) return open;
  const known = adopted.get(el);
  if (known) return known;
  if (!closedRoot || !isHTML(el)) return null;
  name ??= localName(el);
  // A closed root is asked for only where one is likely: the call is not free.
  if (!name.includes("-") && !(plainHosts.has(name) && childElementCount(el) === 0)) return null;
  let root: ShadowRoot | null = null;
  try {
    root = closedRoot(el);
  } catch {
    return null; // the extension was reloaded: the host finds out, and injects anew
  }
  if (root) adopted.set(el, root);
  return root;
}

/** The parent in the rendered tree, which includes slots and hosts. */
export function parentOf(n: Node): Element | null {
  const p = parentNode(n);
  if (p === null) return null;
  if (!isElement(p)) return p instanceof ShadowRoot ? p.host : null;
  if (openShadow(p)) {
    const slot = isElement(n) ? slotOfElement(n) : isText(n) ? slotOfText(n) : null;
    if (slot) return slot;
  }
  return p;
}

/** Whether el only joins trees: a host of shadow, or a slot. Who climbs by so many steps does not count it. */
export const isSeam = (el: Element): boolean => localName(el) === "slot" || openShadow(el) !== null || adopted.has(el);

/** Calls fn for each child in the rendered tree. name: el's local name, if known. */
export function eachChild(el: Element, fn: (n: Node) => void, name = localName(el)): void {
  const given = slotted(el, name);
  if (given) for (const n of given) fn(n);
  else for (let n = firstWithin(el, name); n; n = nextSibling(n)) fn(n);
}

/** The nodes assigned to a slot, which replace its children; null if there are none or el is no slot. name: its local name. */
export function slotted(el: Element, name: string): Node[] | null {
  if (name !== "slot") return null;
  const given = assigned(el);
  return given.length > 0 ? given : null;
}

/** The first child in the rendered tree; el must not be a slot with assigned nodes. */
export const firstWithin = (el: Element, name: string): Node | null => firstChild(mayHost(name) ? shadowOf(el, name) ?? el : el);

const none: Node[] = [];
const assigned = (el: Element): Node[] => el instanceof HTMLSlotElement ? el.assignedNodes() : none;

/**
 * Iterates over the children of an element in the rendered tree, all or only
 * elements; the page may change between keep and resume.
 */
export class Children<T extends Node = Node> {
  readonly shadow: ShadowRoot | null;
  /** Whether they are children of el itself, not of its shadow root or slot. */
  readonly plain: boolean;
  private readonly holder: Element | ShadowRoot;
  private readonly given: Node[] | null = null;
  private last: T | null = null;
  private node: T | null = null;
  private kept: T[] | null = null;

  private constructor(el: Element, name: string, private readonly elements: boolean) {
    this.shadow = shadowOf(el, name);
    this.holder = this.shadow ?? el;
    if (!this.shadow && name === "slot") {
      const given = assigned(el);
      if (given.length > 0) {
        this.given = given.filter((n) => !elements || isElement(n)).reverse();
        this.plain = false;
        return;
      }
    }
    this.plain = this.shadow === null;
    this.node = this.first();
  }

  static all(el: Element, name: string): Children { return new Children(el, name, false); }

  static elements(el: Element, name: string): Children<Element> { return new Children<Element>(el, name, true); }

  /** Whether el has no child elements, no slot's nodes and no shadow root, as most elements; name: its local name. */
  static none(el: Element, name: string): boolean { return !mayHost(name) && name !== "slot" && firstElement(el) === null; }

  next(): T | null {
    if (this.given) return (this.given.pop() ?? null) as T | null;
    this.last = this.node;
    if (this.node) this.node = this.after(this.node);
    return this.last;
  }

  /** Whether there is another one now. */
  more(): boolean { return this.given ? this.given.length > 0 : this.node !== null; }

  keep(): void {
    const kept = this.kept ??= [];
    for (let n = this.node; n && kept.length < maxKept; n = this.after(n)) kept.push(n);
  }

  /** Goes on behind the last child; false if its place is lost, since it and all kept ones are gone. */
  resume(): boolean {
    const here = (n: Node): boolean => parentNode(n) === this.holder;
    const kept = this.kept ?? [];
    const many = kept.length === maxKept;
    // Nodes inserted right behind the last child are read, too. If it is gone, the first kept one is next.
    const gone = this.last !== null && !here(this.last);
    if (!this.last) this.node = this.first();
    else this.node = gone ? kept.find(here) ?? null : this.after(this.last);
    this.kept = null;
    return !(gone && many && this.node === null);
  }

  private first(): T | null {
    const { holder, shadow } = this;
    return (this.elements ? shadow ? rootFirstElement(shadow) : firstElement(holder as Element) : firstChild(holder)) as T | null;
  }

  private after(n: T): T | null {
    return (this.elements ? nextElement(n as unknown as Element) : nextSibling(n)) as T | null;
  }
}

// The most children kept: each costs as much as a step of the walk, on each level and after each slice.
const maxKept = 200;

export function closest(el: Element | null, test: (e: Element) => boolean): Element | null {
  for (let e = el; e; e = parentOf(e)) if (test(e)) return e;
  return null;
}

/** Whether a is b or an ancestor of b in the rendered tree. */
export function holds(a: Element, b: Element | null): boolean {
  return closest(b, (e) => e === a) !== null;
}

/** The element with the keyboard, through shadow roots. */
export function deepActive(): Element | null {
  let el = doc.active;
  while (el) {
    const root = shadowOf(el);
    const inner = root ? rootActive(root) : null;
    if (!inner) break;
    el = inner;
  }
  return el;
}

/** The deepest element at a point, through shadow roots. */
export function deepAt(x: number, y: number): Element | null {
  let el = elementAt(x, y);
  while (el) {
    const root = shadowOf(el);
    const inner: Element | null = root ? root.elementFromPoint(x, y) : null;
    if (!root) break;
    if (inner && inner !== el && rootOf(inner) === root) el = inner;
    else {
      const around = aroundText(root, x, y);
      if (!around) break;
      el = around;
    }
  }
  return el;
}

/** The element around a slot with the host's text: for a point in that text the browser names the host, but a press goes to this element. */
function aroundText(root: ShadowRoot, x: number, y: number): Element | null {
  for (const e of root.elementsFromPoint(x, y)) {
    if (rootOf(e) !== root) continue;
    for (const slot of all(e, "slot")) if (assigned(slot).some(isText)) return e;
    return null;
  }
  return null;
}

/** Every document-like scope: the document and all shadow roots within; looked for once in a pass. */
export function scopes(): readonly Scope[] {
  if (within) return within;
  if (!hosts?.holds()) hosts = new Hosts();
  const { out } = hosts;
  if (known) within = out;
  return out;
}

/**
 * Caches the scopes and the elements that may become hosts. Checking those again costs a tenth of a walk through the
 * page, and until an element is added nothing else can get a shadow root.
 */
class Hosts {
  readonly out: readonly Scope[];
  private readonly roots = new Map<Element, ShadowRoot | null>();
  private readonly observer = new MutationObserver((records) => {
    this.saw(records);
    if (performance.now() - this.usedAt > unusedMs) this.end();
  });
  private readonly root = doc.root;
  private usedAt = performance.now();
  private ended = false;

  constructor() {
    const found = [...shadowRoots((el, root) => { if (this.roots.size < mostHosts) this.roots.set(el, root); else this.ended = true; })];
    this.out = [document, ...found.filter((root) => root !== null)];
    if (this.ended) return;
    for (const s of this.out) this.observer.observe(s, { childList: true, subtree: true });
  }

  holds(): boolean {
    if (!this.ended) this.saw(this.observer.takeRecords());
    if (this.ended || this.root !== doc.root) return false;
    this.usedAt = performance.now();
    for (const [el, root] of this.roots) if (shadowOf(el) !== root || root && !isConnected(el)) this.end();
    return !this.ended;
  }

  private saw(records: MutationRecord[]): void {
    for (const r of records) for (const n of r.addedNodes) if (!isText(n)) this.end();
  }

  private end(): void {
    this.ended = true;
    this.observer.disconnect();
    if (hosts === this) hosts = null;
  }
}

let hosts: Hosts | null = null;

/** The most elements kept, and the time in ms after which an unused cache ends. */
const mostHosts = 20000;
const unusedMs = 10000;

const restEach = 64;

/**
 * Yields the shadow roots in the document, and null after every restEach elements. may: is called for each element that
 * has or could have one.
 */
export function* shadowRoots(may?: (el: Element, root: ShadowRoot | null) => void): Generator<ShadowRoot | null> {
  const levels = [walker(document, NodeFilter.SHOW_ELEMENT)];
  let steps = 0;
  for (let top = levels.at(-1); top; top = levels.at(-1)) {
    const n = top.nextNode() as Element | null;
    if (!n) {
      levels.pop();
      continue;
    }
    const name = localName(n);
    if (!mayHost(name)) {
      if (++steps % restEach === 0) yield null;
      continue;
    }
    const root = shadowOf(n, name);
    may?.(n, root);
    if (root) {
      yield root;
      levels.push(walker(root, NodeFilter.SHOW_ELEMENT));
    }
    if (++steps % restEach === 0) yield null;
  }
}

/** The depth to which a page is read: a hostile page may nest without end, and the user can't use such depths. */
export const maxDepth = 1000;
