package llm

import (
	"encoding/json"
	"net"
	"net/url"
	"strings"
)

// The windows to ask Ollama for, in tokens. Its own default is 4k with less than 24
// GiB of video memory, and it silently cuts what does not fit. A model's full 128k
// would not fit most memories.
const (
	leastWindow   = 4096
	unknownWindow = 8192  // if the model's limit is not known
	usualWindow   = 16384 // if only the model's limit is known
	mostWindow    = 32768 // more slows a small machine down and helps no small model
)

// footprint is how much memory a model needs, zero if the server does not say.
type footprint struct {
	weights  int64 // bytes
	perToken int64 // bytes of the key and value cache for one token of window
}

// windowFor returns num_ctx: cap if the user sets it (not 0), else what the machine
// has room for beside the model's weights (memory in bytes, 0 for unknown), and never
// more than the model takes (limit, 0 for unknown).
func windowFor(limit, cap int, f footprint, memory int64) int {
	n := usualWindow
	switch {
	case limit <= 0:
		n = unknownWindow
	case f.perToken > 0 && memory > 0:
		// A quarter stays for everything else that runs there.
		free := memory/4*3 - f.weights
		n = int(max(free, 0)/f.perToken) / 1024 * 1024
		n = min(max(n, leastWindow), mostWindow)
	}
	if cap > 0 {
		n = cap // the user may ask for more than the memory has room for
	}
	if limit > 0 {
		n = min(n, limit)
	}
	return n
}

// pageWindow is the least window for the rules, a page and a reply: fittedWindow goes
// no lower.
const pageWindow = 8192

// fittedWindow returns the window with which a model fits, if it was loaded with
// window and then takes size bytes, vram of them on a graphics card. A model that is
// partly outside the card is many times slower; without a card the same holds for one
// that does not fit the memory. If even pageWindow would not help, fittedWindow
// returns window.
func fittedWindow(window int, size, vram, perToken, memory int64) int {
	room := vram
	if vram == 0 {
		room = memory / 4 * 3
	}
	if size <= room || room == 0 || perToken <= 0 {
		return window
	}
	const spare = 10 // per cent more than needed: buffers shrink less than the cache
	less := (size - room) / perToken * (100 + spare) / 100
	n := (window - int(min(less, int64(window)))) / 1024 * 1024
	if n < pageWindow {
		return window
	}
	return n
}

// footprintOf computes the footprint from Ollama's model_info and quantization.
func footprintOf(info map[string]json.RawMessage, quantization string) footprint {
	arch := ""
	_ = json.Unmarshal(info["general.architecture"], &arch) // absent: no footprint
	get := func(key string) float64 {
		var n float64
		if json.Unmarshal(info[key], &n) != nil {
			return 0
		}
		return n
	}
	layers, heads := get(arch+".block_count"), get(arch+".attention.head_count")
	kv, width := get(arch+".attention.head_count_kv"), get(arch+".embedding_length")
	if kv == 0 {
		kv = heads
	}
	f := footprint{weights: int64(get("general.parameter_count") * bytesPer(quantization))}
	if heads > 0 {
		key := get(arch + ".attention.key_length")
		if key == 0 {
			key = width / heads
		}
		const keyAndValue, half = 2, 2 // f16, Ollama's default for the cache
		f.perToken = int64(layers * kv * key * keyAndValue * half)
	}
	return f
}

// bytesPer returns about how many bytes a weight takes, by the name of the
// quantization (Q4_K_M, Q8_0, F16).
func bytesPer(quantization string) float64 {
	q := strings.ToUpper(quantization)
	for _, row := range []struct {
		prefix string
		bytes  float64
	}{{"Q2", 0.4}, {"Q3", 0.5}, {"Q4", 0.6}, {"IQ4", 0.6}, {"MXFP4", 0.6}, {"Q5", 0.7}, {"Q6", 0.85}, {"Q8", 1.1}, {"F32", 4}} {
		if strings.HasPrefix(q, row.prefix) {
			return row.bytes
		}
	}
	return 2
}

// onThisMachine reports whether a server runs on this machine, by its address.
func onThisMachine(baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// memory returns the memory of the server's machine in bytes, 0 if it is not this one.
func (c Config) memory() int64 {
	switch {
	case !onThisMachine(c.BaseURL):
		return 0
	case c.Memory > 0:
		return c.Memory
	default:
		return machineMemory()
	}
}

// IsLocal reports whether the model runs on this machine and costs nothing.
func (m *Model) IsLocal() bool { return onThisMachine(m.cfg.BaseURL) }
