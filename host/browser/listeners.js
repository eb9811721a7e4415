// Runs in the page's own world, with DevTools' getEventListeners: which elements hear
// presses, the menu key of the mouse, drags, the pointer over them and changes of a value, by listeners of
// their own, by what jQuery delegates to them, or as React, Solid and Svelte keep it.
// It writes nothing into the page, and can be fooled by the page about the page only.
//
// The answer has a line for the document and for each open shadow root, in the order in
// which they are met: the line and the position of the host, how many elements there
// are, and for each that hears something its position, what it hears and its name. The
// extractor reads it (extension/src/extractor/dom/listeners.ts).
(function (listenersOf) {
	const press = 1, menu = 2, drag = 4, hover = 8, change = 16;
	const mostAsked = 30000; // elements, which takes 20 ms
	const mostHearing = 5000;
	const most = 150; // ms, of a machine that has much else to do, or a page that fools us
	const groups = {
		__proto__: null,
		click: press, mousedown: press, mouseup: press, pointerdown: press, pointerup: press, touchstart: press, touchend: press, dblclick: press,
		contextmenu: menu, dragstart: drag, mouseenter: hover, mouseover: hover, pointerenter: hover, pointerover: hover,
		change: change,
	};
	const natives = {
		__proto__: null,
		button: 1, option: 1, script: 1, style: 1, head: 1, meta: 1, link: 1, title: 1, template: 1, noscript: 1, br: 1,
	};
	const fields = { __proto__: null, input: 1, select: 1, textarea: 1 }; // what presses do to them the browser tells
	const began = performance.now();
	const selected = []; // what is delegated: within what, by which selector, of what group
	if (typeof listenersOf !== "function") return "";

	// What the listeners themselves say, but for those by which a library hears for what is in the element.
	const own = (e, jquery) => {
		const l = listenersOf(e);
		let is = 0, down = false, up = false, click = false;
		for (const type in l) {
			if (jquery !== null && type in jquery && l[type].length < 2) continue;
			is |= groups[type] ?? 0;
			if (type === "mousedown" || type === "pointerdown" || type === "touchstart") down = true;
			else if (type === "mouseup" || type === "pointerup" || type === "mousemove" || type === "pointermove" || type === "touchmove") up = true;
			else if (type === "click") click = true;
		}
		return down && up && !click ? is | drag : is;
	};

	// The events that jQuery hears for an element, by their type; null where that can't be told.
	const jqueryOf = (e, keys) => {
		for (let i = 0; i < keys.length; i++) {
			const data = keys[i].startsWith("jQuery") ? e[keys[i]] : null;
			if (data && typeof data === "object" && data.events && typeof data.events === "object") return data.events;
		}
		return null;
	};

	const byJquery = (e, events) => {
		let is = 0;
		for (const type in events) {
			const handlers = events[type];
			for (let i = 0; i < handlers.length; i++) {
				const group = groups[handlers[i].origType] ?? groups[type] ?? 0;
				if (group === 0) continue;
				if (handlers[i].selector) selected[selected.length] = [e, String(handlers[i].selector), group];
				else is |= group;
			}
		}
		return is;
	};

	const byProps = (props) => {
		let is = 0;
		for (const name in props) {
			if (!name.startsWith("on") || typeof props[name] !== "function") continue;
			let type = name.slice(2).toLowerCase();
			if (type.endsWith("capture")) type = type.slice(0, -7);
			is |= groups[type === "doubleclick" ? "dblclick" : type] ?? 0;
		}
		return is;
	};

	const heardBy = (e) => {
		const keys = Object.keys(e);
		let is = 0, root = false;
		for (let i = 0; i < keys.length; i++) {
			const key = keys[i];
			if (key.startsWith("__reactProps$") || key.startsWith("__reactEventHandlers$")) is |= byProps(e[key]);
			else if (key.startsWith("__reactContainer$") || key.startsWith("_reactListening")) root = true;
			else if (key.startsWith("__") || key.startsWith("$$")) is |= groups[key.slice(2)] ?? 0;
		}
		const jquery = keys.length > 0 ? jqueryOf(e, keys) : null;
		if (jquery !== null) is |= byJquery(e, jquery);
		if (!root) is |= own(e, jquery);
		return is;
	};

	const skips = (e) => {
		const tag = e.localName;
		return tag in natives || tag === "a" && e.hasAttribute("href") && !e.getAttribute("href").startsWith("#");
	};

	const roots = [{ of: document, host: -1, at: 0, all: null, is: null }];
	let asked = 0, hearing = 0, over = false;
	const top = jqueryOf(document, Object.keys(document));
	if (top !== null) byJquery(document, top);
	for (let r = 0; r < roots.length; r++) {
		const root = roots[r];
		const all = root.all = root.of.querySelectorAll("*");
		const is = root.is = { __proto__: null };
		for (let i = 0; i < all.length && !over; i++) {
			const e = all[i];
			if ((++asked & 255) === 0) over = asked > mostAsked || hearing > mostHearing || performance.now() - began > most;
			if (skips(e)) continue;
			if (e.shadowRoot) roots[roots.length] = { of: e.shadowRoot, host: r, at: i, all: null, is: null };
			const heard = e.localName in fields ? own(e, null) & change : heardBy(e);
			if (heard === 0 || e === document.body || e === document.documentElement) continue;
			is[i] = heard;
			hearing++;
		}
	}
	if (selected.length > 0) {
		const more = new Map();
		for (let s = 0; s < selected.length && !over; s++) {
			let found;
			try {
				found = selected[s][0].querySelectorAll(selected[s][1]);
			} catch {
				continue; // jQuery knows selectors of its own
			}
			for (let i = 0; i < found.length && more.size < mostHearing; i++) more.set(found[i], (more.get(found[i]) ?? 0) | selected[s][2]);
			over = performance.now() - began > most;
		}
		const all = roots[0].all;
		for (let i = 0; i < all.length; i++) {
			const heard = more.get(all[i]);
			if (heard !== undefined && !skips(all[i])) roots[0].is[i] = (roots[0].is[i] ?? 0) | heard;
		}
	}
	let out = "";
	for (let r = 0; r < roots.length; r++) {
		const { host, at, all, is } = roots[r];
		out += `${r > 0 ? "\n" : ""}${host} ${at} ${all.length}`;
		for (const i in is) out += ` ${i} ${is[i]} ${all[i].localName}`;
	}
	return out;
})(typeof getEventListeners === "function" ? getEventListeners : null)
