// Runs in the page's own world. From begin until end, what the page writes to its WebSockets waits:
// next tells the host the texts that came, and takes its answers to earlier ones. What is written to
// a socket leaves in order, and bytes without texts need no answer. A page that kept the browser's
// send from before is not held. It sets no timer: the extractor would take that for the page's own.
(function () {
	const most = 65536; // characters of a message that the host reads
	const goneTime = 30000; // ms without next after which the host is gone
	// Signs of life, without which a server ends the connection while a user is asked.
	const beat = /^(?:[23h]|\s*|"?(?:ping|pong)"?|\{"(?:type|op)":(?:\d+|"(?:ping|pong|heartbeat)")(?:,"d":(?:\d+|null))?\}\x1e?)$/i;
	const queues = new Map(); // by socket, what waits in order
	const patches = [];
	let fresh = []; // that the host does not have yet
	let count = 0, ended = false, wake = null, heard = performance.now(), late = false;

	const brand = (data) => Object.prototype.toString.call(data); // of any frame
	const isBuffer = (data) => brand(data) === "[object ArrayBuffer]";

	const bytesOf = (data) => ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : isBuffer(data) ? new Uint8Array(data) : null;

	const control = /[\x01-\x08\x0b\x0c\x0e-\x1d\x7f\ufffd]/;

	// Of bytes that are no text as a whole it gives the texts in them as a list, as binary formats (MessagePack,
	// MQTT, protocol buffers) have the names of operations and fields. Compressed bytes have few by chance.
	const textOf = (data) => {
		if (typeof data === "string") return data;
		const bytes = bytesOf(data);
		if (!bytes || bytes.length === 0 || bytes.length > most) return null;
		const text = new TextDecoder().decode(bytes);
		if (!control.test(text)) return text;
		const texts = text.split(/[\x00-\x1f\x7f\ufffd]+|(?<![{[":,\s])(?=[{[]["{])/).filter((t) => t.length >= 3 && /\p{L}/u.test(t));
		return texts.join("").length * 4 >= bytes.length ? JSON.stringify(texts) : null;
	};

	// A page may change its buffer as soon as send returned.
	const kept = (data) => bytesOf(data)?.slice() ?? data;

	const apply = (fn, socket, args) => {
		try {
			Reflect.apply(fn, socket, args);
		} catch {
			// the page gave what a socket does not take
		}
	};

	const flush = (socket) => {
		const queue = queues.get(socket);
		while (queue.waits.length > 0 && queue.waits[0].goes !== undefined) {
			const m = queue.waits.shift();
			if (m.goes) apply(queue.send, socket, [m.data]);
		}
		if (queue.waits.length > 0) return;
		queues.delete(socket);
		if (queue.closes) apply(queue.close, socket, queue.closes);
	};

	const settle = (goes) => {
		for (const [socket, queue] of [...queues]) {
			for (const m of queue.waits) m.goes ??= goes(m);
			flush(socket);
		}
	};

	const end = () => {
		if (ended) return;
		ended = true;
		for (const undo of patches) undo();
		settle((m) => m.text === undefined || fresh.includes(m)); // what the host read and did not answer was not allowed
		fresh = [];
		wake?.();
	};

	const patch = (proto, name, make) => {
		const was = Object.getOwnPropertyDescriptor(proto, name);
		if (typeof was?.value !== "function" || !was.configurable) return;
		const value = make(was.value);
		Object.defineProperty(proto, name, { ...was, value });
		patches.push(() => { if (proto[name] === value) Object.defineProperty(proto, name, was); });
	};

	const announce = (m, text) => {
		m.text = text?.slice(0, most) ?? "";
		if (text === null) m.goes ??= true;
		if (m.goes !== undefined) return;
		m.n = ++count;
		fresh.push(m);
		wake?.();
	};

	const closable = (code, reason) => (code === undefined || code === 1000 || code >= 3000 && code <= 4999) && new TextEncoder().encode(reason ?? "").length <= 123;

	const hold = (realm) => {
		let proto = realm.WebSocket.prototype;
		while (proto && !Object.hasOwn(proto, "send")) proto = Object.getPrototypeOf(proto); // a page may make a class of its own
		const { close } = proto;
		const { get: stateOf } = Object.getOwnPropertyDescriptor(proto, "readyState") ?? { get() { return this.readyState; } };
		patch(proto, "send", (send) => function (data) {
			if (performance.now() - heard > goneTime) {
				// The page itself may have stood still, as behind a dialog.
				if (late) end();
				else [late, heard] = [true, performance.now() - goneTime + 2000];
			}
			if (ended || arguments.length === 0 || Reflect.apply(stateOf, this, []) !== 1) return Reflect.apply(send, this, arguments);
			const blob = ["[object Blob]", "[object File]"].includes(brand(data));
			const given = bytesOf(data) || blob ? data : `${data}`;
			const text = blob && data.size <= most ? undefined : textOf(given); // a Blob is read later
			let queue = queues.get(this);
			if (queue?.closes) return;
			if (text === null ? !queue : typeof given === "string" && beat.test(text)) return Reflect.apply(send, this, arguments);
			if (!queue) queues.set(this, queue = { send, close, waits: [], closes: null });
			const m = { n: 0, data: kept(given), url: this.url };
			queue.waits.push(m);
			if (text === undefined) data.arrayBuffer().then(textOf).catch(() => null).then((t) => { announce(m, t); if (queues.has(this)) flush(this); });
			else announce(m, text);
		});
		patch(proto, "close", (close) => function (code, reason) {
			const queue = queues.get(this);
			if (!queue || ended || !closable(code, reason)) return Reflect.apply(close, this, arguments);
			queue.closes ??= [...arguments];
		});
	};
	const seen = new Set();
	const holdAll = (realm) => {
		if (seen.has(realm) || seen.size > 50) return;
		seen.add(realm);
		try {
			hold(realm);
			for (let i = 0; i < realm.frames.length; i++) holdAll(realm.frames[i]);
		} catch {
			// a frame of another origin
		}
	};
	const answer = (sent = [], stopped = []) => settle((m) => sent.includes(m.n) ? true : stopped.includes(m.n) ? false : undefined);

	// next gives the messages after the last one that the host has. A call whose answer is not awaited any
	// more is forgotten.
	const next = (last, sent, stopped) => {
		[late, heard] = [false, performance.now()];
		fresh = fresh.filter((m) => m.n > last);
		answer(sent, stopped);
		return new Promise((done) => {
			wake = () => {
				wake = null;
				done(ended ? "null" : JSON.stringify(fresh.map(({ n, url, text }) => ({ n, url, text }))));
			};
			if (fresh.length > 0 || ended) wake();
		});
	};
	return { begin: () => holdAll(globalThis), next, answer, end };
})()
