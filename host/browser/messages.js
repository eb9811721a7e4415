// Runs in the page's own world. Until end is called, what the page writes to its WebSockets waits:
// next tells the host the texts that came, and takes its answers to earlier ones. What is written to
// a socket leaves in order, and bytes that are no text need no answer. A page that kept the browser's
// send from before is not held. It sets no timer: the extractor would take that for the page's own.
(function () {
	const most = 65536; // characters of a message that the host reads
	const goneTime = 30000; // ms without next after which the host is gone
	// Signs of life, without which a server ends the connection while a user is asked.
	const beat = /^(?:\P{L}|type|op|ping|pong|heartbeat){0,40}$/iu;
	const queues = new Map(); // by socket, what waits in order
	const patches = [];
	let fresh = []; // that the host does not have yet
	let count = 0, ended = false, wake = null, heard = performance.now();

	const textOf = (data) => {
		if (typeof data === "string") return data;
		const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data instanceof ArrayBuffer ? new Uint8Array(data) : null;
		if (!bytes || bytes.length === 0 || bytes.length > most) return null;
		try {
			const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
			return /[\x01-\x08\x0b\x0c\x0e-\x1d\x7f]/.test(text) ? null : text;
		} catch {
			return null;
		}
	};

	// A page may change its buffer as soon as send returned.
	const kept = (data) => data instanceof ArrayBuffer ? data.slice(0) : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice() : data;

	const flush = (socket) => {
		const queue = queues.get(socket);
		while (queue.waits.length > 0 && queue.waits[0].goes !== undefined) {
			const m = queue.waits.shift();
			if (m.goes) Reflect.apply(queue.send, socket, [m.data]);
		}
		if (queue.waits.length > 0) return;
		queues.delete(socket);
		if (queue.closes) Reflect.apply(queue.close, socket, queue.closes);
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
		settle((m) => fresh.includes(m)); // what the host read and did not answer was not allowed
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

	const hold = (realm) => {
		const proto = realm.WebSocket.prototype;
		const close = proto.close;
		patch(proto, "send", (send) => function (data) {
			if (performance.now() - heard > goneTime) end();
			const given = data !== null && typeof data === "object" && !ArrayBuffer.isView(data) && !(data instanceof realm.ArrayBuffer) && !(data instanceof ArrayBuffer) && !(data instanceof realm.Blob) && !(data instanceof Blob) ? String(data) : data;
			const text = ended || this?.readyState !== 1 || arguments.length === 0 ? null : textOf(given);
			let queue = queues.get(this);
			if (text === null ? !queue || ended : beat.test(text)) return Reflect.apply(send, this, arguments);
			if (!queue) queues.set(this, queue = { send, close, waits: [], closes: null });
			const m = { n: ++count, data: kept(given), url: this.url, text: (text ?? "").slice(0, most), goes: text === null ? true : undefined };
			queue.waits.push(m);
			if (text !== null) fresh.push(m);
			wake?.();
		});
		patch(proto, "close", (close) => function () {
			const queue = queues.get(this);
			if (!queue || ended) return Reflect.apply(close, this, arguments);
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
	holdAll(globalThis);

	const answer = (sent = [], stopped = []) => settle((m) => sent.includes(m.n) ? true : stopped.includes(m.n) ? false : undefined);

	// next gives the messages after the last one that the host has. A call whose answer is not awaited any
	// more is forgotten.
	const next = (last, sent, stopped) => {
		heard = performance.now();
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
	return { next, answer, end };
})()
