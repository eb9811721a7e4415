package llm_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// The size of the random model: enough for a server to load and run.
const (
	ggufLayers  = 2
	ggufWidth   = 64
	ggufHeads   = 4
	ggufFF      = 128
	ggufContext = 4096
)

// randomGGUF writes a model of random weights: llama architecture, gpt2
// tokenizer with one token per byte, f32, fixed seed. No weights are
// downloaded for a test.
func randomGGUF() []byte {
	g := &gguf{}
	tokens := byteTokens()
	types := make([]int32, len(tokens))
	for i := range types {
		types[i] = 1 // normal
	}
	special := len(tokens) - 2
	types[special], types[special+1] = 3, 3 // control

	g.str("general.architecture", "llama")
	g.str("general.name", "tiny")
	g.u32("general.file_type", 0)
	g.u32("llama.block_count", ggufLayers)
	g.u32("llama.context_length", ggufContext)
	g.u32("llama.embedding_length", ggufWidth)
	g.u32("llama.feed_forward_length", ggufFF)
	g.u32("llama.attention.head_count", ggufHeads)
	g.u32("llama.attention.head_count_kv", ggufHeads)
	g.u32("llama.rope.dimension_count", ggufWidth/ggufHeads)
	g.f32("llama.attention.layer_norm_rms_epsilon", 1e-5)
	g.f32("llama.rope.freq_base", 10000)
	g.u32("llama.vocab_size", uint32(len(tokens)))
	g.str("tokenizer.ggml.model", "gpt2")
	g.str("tokenizer.ggml.pre", "gpt-2")
	g.strs("tokenizer.ggml.tokens", tokens)
	g.i32s("tokenizer.ggml.token_type", types)
	g.strs("tokenizer.ggml.merges", []string{"t h", "i n"})
	g.u32("tokenizer.ggml.bos_token_id", uint32(special))
	g.u32("tokenizer.ggml.eos_token_id", uint32(special+1))

	vocab := uint64(len(tokens))
	g.tensor("token_embd.weight", 0.5, ggufWidth, vocab)
	for i := range ggufLayers {
		p := fmt.Sprintf("blk.%d.", i)
		g.tensor(p+"attn_norm.weight", 0, ggufWidth)
		for _, n := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
			g.tensor(p+n+".weight", 0.1, ggufWidth, ggufWidth)
		}
		g.tensor(p+"ffn_norm.weight", 0, ggufWidth)
		g.tensor(p+"ffn_gate.weight", 0.1, ggufWidth, ggufFF)
		g.tensor(p+"ffn_up.weight", 0.1, ggufWidth, ggufFF)
		g.tensor(p+"ffn_down.weight", 0.1, ggufFF, ggufWidth)
	}
	g.tensor("output_norm.weight", 0, ggufWidth)
	g.tensor("output.weight", 0.2, ggufWidth, vocab)
	return g.bytes()
}

// embeddingGGUF writes what a server takes for an embedding model: one that pools.
// It is never loaded.
func embeddingGGUF() []byte {
	g := &gguf{}
	g.str("general.architecture", "bert")
	g.u32("general.file_type", 0)
	g.u32("bert.pooling_type", 1)
	g.u32("bert.block_count", 1)
	g.u32("bert.context_length", 512)
	g.u32("bert.embedding_length", ggufWidth)
	g.tensor("token_embd.weight", 0.5, ggufWidth, 4)
	return g.bytes()
}

// byteTokens is the byte alphabet of GPT-2 (printable bytes stand for
// themselves, the rest for characters from U+0100 on), two merged tokens, and
// the begin and end of text.
func byteTokens() []string {
	var out []string
	next := rune(0x100)
	for b := range 256 {
		switch {
		case b >= '!' && b <= '~', b >= 0xA1 && b <= 0xAC, b >= 0xAE:
			out = append(out, string(rune(b)))
		default:
			out = append(out, string(next))
			next++
		}
	}
	return append(out, "th", "in", "<|bos|>", "<|eos|>")
}

// gguf collects metadata and tensors of a GGUF version 3 file.
type gguf struct {
	meta, infos, data bytes.Buffer
	metas, tensors    uint64
	rng               *rand.Rand
}

const ggufAlign = 32

func le(b *bytes.Buffer, v any) { _ = binary.Write(b, binary.LittleEndian, v) } // a Buffer never fails

func text(b *bytes.Buffer, s string) {
	le(b, uint64(len(s)))
	b.WriteString(s)
}

func (g *gguf) key(name string, kind uint32) {
	g.metas++
	text(&g.meta, name)
	le(&g.meta, kind)
}

func (g *gguf) u32(k string, v uint32)  { g.key(k, 4); le(&g.meta, v) }
func (g *gguf) f32(k string, v float32) { g.key(k, 6); le(&g.meta, v) }
func (g *gguf) str(k, v string)         { g.key(k, 8); text(&g.meta, v) }

func (g *gguf) strs(k string, v []string) {
	g.key(k, 9)
	le(&g.meta, uint32(8))
	le(&g.meta, uint64(len(v)))
	for _, s := range v {
		text(&g.meta, s)
	}
}

func (g *gguf) i32s(k string, v []int32) {
	g.key(k, 9)
	le(&g.meta, uint32(5))
	le(&g.meta, uint64(len(v)))
	le(&g.meta, v)
}

// tensor adds random f32 values, or ones where spread is 0 (the norms).
func (g *gguf) tensor(name string, spread float32, dims ...uint64) {
	if g.rng == nil {
		g.rng = rand.New(rand.NewPCG(1, 2))
	}
	g.tensors++
	text(&g.infos, name)
	le(&g.infos, uint32(len(dims)))
	n := uint64(1)
	for _, d := range dims {
		le(&g.infos, d)
		n *= d
	}
	le(&g.infos, uint32(0)) // f32
	le(&g.infos, uint64(g.data.Len()))
	for range n {
		v := float32(1)
		if spread > 0 {
			v = float32(g.rng.NormFloat64()) * spread
		}
		le(&g.data, math.Float32bits(v))
	}
	pad(&g.data)
}

func pad(b *bytes.Buffer) {
	for b.Len()%ggufAlign != 0 {
		b.WriteByte(0)
	}
}

func (g *gguf) bytes() []byte {
	var out bytes.Buffer
	out.WriteString("GGUF")
	le(&out, uint32(3))
	le(&out, g.tensors)
	le(&out, g.metas)
	out.Write(g.meta.Bytes())
	out.Write(g.infos.Bytes())
	pad(&out)
	out.Write(g.data.Bytes())
	return out.Bytes()
}
