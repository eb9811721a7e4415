package llm

import (
	"encoding/json"
	"net"
	"net/url"
	"strings"
)

// The windows asked of Ollama, in tokens. Its own default is 4k below 24 GiB of
// video memory, and what does not fit is cut silently; a model's full 128k
// would not fit in most memories.
const (
	leastWindow   = 4096
	unknownWindow = 8192  // when neither the model nor the machine is known
	usualWindow   = 16384 // when only the model's limit is known
	mostWindow    = 32768 // more slows a small machine down and helps no small model
)

// footprint is what a model needs of the machine that runs it; zero where the
// server does not say.
type footprint struct {
	weights  int64 // bytes
	perToken int64 // bytes of the key and value cache for one token of window
}

// windowFor chooses num_ctx: no more than the model takes (limit, 0 for
// unknown), than the machine holds beside the model's weights (memory in
// bytes, 0 for unknown), and than the user allows (cap, 0 for no word).
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
		n = cap // a wish above the machine's memory is the user's to make
	}
	if limit > 0 {
		n = min(n, limit)
	}
	return n
}

// pageWindow is what the rules, a page and a reply need: no window is made smaller.
const pageWindow = 8192

// fittedWindow is the window with which a model would fit that was loaded with another
// one and takes size bytes, vram of them on a graphics card. A part beside the card
// makes it many times slower; without a card, more than the memory holds is as bad.
// Where even the least window would not help, it stays.
func fittedWindow(window int, size, vram, perToken, memory int64) int {
	room := vram
	if vram == 0 {
		room = memory / 4 * 3
	}
	if size <= room || room == 0 || perToken <= 0 {
		return window
	}
	const spare = 10 // in a hundred of what is too much: buffers shrink less than the cache
	less := (size - room) / perToken * (100 + spare) / 100
	n := (window - int(min(less, int64(window)))) / 1024 * 1024
	if n < pageWindow {
		return window
	}
	return n
}

// footprintOf reads Ollama's model_info and quantization.
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

// bytesPer is about how many bytes a weight takes, by the name of the
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

// onThisMachine says that a server runs here, so that this machine's memory
// is the one that counts.
func onThisMachine(baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// memory is that of the machine that the server runs on, 0 where it is not this one.
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

// IsLocal says that the model runs on this machine and costs nothing.
func (m *Model) IsLocal() bool { return onThisMachine(m.cfg.BaseURL) }
