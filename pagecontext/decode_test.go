package pagecontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// filled sets every field that goes over the wire to something of its kind.
func filled(v reflect.Value, rnd *rand.Rand, deep int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "" {
				filled(v.Field(i), rnd, deep)
			}
		}
	case reflect.Slice:
		if deep > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1+rnd.IntN(3), 4))
			for i := range v.Len() {
				filled(v.Index(i), rnd, deep-1)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), rnd, deep)
	case reflect.String:
		all := []string{"button", "a", "", "Item 7", "a \"b\" \\ <c> & \n\t\x01", "中文 é 🛒", "\u2028", "\xff broken", "\x7f", "link"}
		v.SetString(all[rnd.IntN(len(all))])
	case reflect.Bool:
		v.SetBool(rnd.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(int64(rnd.IntN(200000)) - 1000)
	case reflect.Float64:
		v.SetFloat([]float64{0, 80.9, -12.5, 1e21, 1.0 / 3, 123456789.25, 9007199254740993, 0.1 + 0.2, 1e-7, float64(rnd.IntN(100000)) / 10}[rnd.IntN(10)])
	default:
		panic(v.Kind())
	}
}

// stringified is v as JSON.stringify writes it.
func stringified(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// TestScanAgrees holds what is read by hand against the package: where every field
// is set, and in JSON that is spoiled.
func TestScanAgrees(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	type plainTree treeResult
	type plainList listResult
	check := func(raw []byte) (taken bool) {
		t.Helper()
		var tree, wantTree treeResult
		var list, wantList listResult
		for _, c := range []struct {
			ok         bool
			err        error
			have, want any
		}{
			{tree.scan(raw), jsonv2.Unmarshal(raw, (*plainTree)(&wantTree), jsonv2.AllowInvalidUTF8(true)), &tree, &wantTree},
			{list.scan(raw), jsonv2.Unmarshal(raw, (*plainList)(&wantList), jsonv2.AllowInvalidUTF8(true)), &list, &wantList},
		} {
			if !c.ok {
				continue
			}
			taken = true
			have, want := reflect.ValueOf(c.have).Elem(), reflect.ValueOf(c.want).Elem()
			if c.err != nil || !reflect.DeepEqual(have.Interface(), want.Interface()) {
				t.Fatalf("%s\nis read as\n%+v\nwant %v\n%+v", raw, have, c.err, want)
			}
		}
		return taken
	}
	wholes, taken := 0, 0
	for i := range 200 {
		var tree treeResult
		var list listResult
		filled(reflect.ValueOf(&tree).Elem(), rnd, 2)
		filled(reflect.ValueOf(&list).Elem(), rnd, 2)
		if i%4 > 0 { // else numbers with exponents, which are left to the package
			whole(reflect.ValueOf(&tree).Elem())
			whole(reflect.ValueOf(&list).Elem())
		}
		for _, raw := range [][]byte{stringified(t, (*plainTree)(&tree)), stringified(t, (*plainList)(&list))} {
			if byHand := check(raw); i%4 > 0 {
				wholes++
				if byHand {
					taken++
				}
			}
			for range 12 {
				spoiled := bytes.Clone(raw)
				at := rnd.IntN(len(spoiled))
				signs := `{}[]":,\0-.eE tnu1` + "\xff\xc3\x00"
				switch rnd.IntN(3) {
				case 0:
					spoiled[at] = signs[rnd.IntN(len(signs))]
				case 1:
					spoiled = append(spoiled[:at], spoiled[at+1:]...)
				default:
					spoiled = append(spoiled[:at], append([]byte{signs[rnd.IntN(len(signs))]}, raw[at:]...)...)
				}
				check(spoiled)
			}
		}
	}
	if taken != wholes || wholes == 0 {
		t.Errorf("%d of %d whole texts were read by hand", taken, wholes)
	}
}

// TestScanTwice: an object with a name that comes twice is left to the package, to
// which it is an error.
func TestScanTwice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	type plainTree treeResult
	type plainList listResult
	var node ariaNode
	var element RawElement
	for _, v := range []reflect.Value{reflect.ValueOf(&node).Elem(), reflect.ValueOf(&element).Elem()} {
		filled(v, rnd, 1)
		whole(v)
	}
	node.Children = []ariaNode{}
	names := 0
	for around, v := range map[string]any{"nodes": node, "elements": element} {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(stringified(t, v), &fields); err != nil {
			t.Fatal(err)
		}
		for name, value := range fields {
			names++
			one := fmt.Sprintf(`"%s":%s`, name, value)
			for _, c := range []struct {
				raw  string
				once bool
			}{
				{`{"` + around + `":[{` + one + `},{` + one + `}]}`, true},
				{`{"` + around + `":[{` + one + `,` + one + `}]}`, false},
				{`{"` + around + `":[{` + one + `}],"` + around + `":[]}`, false},
			} {
				byHand, err := new(treeResult).scan([]byte(c.raw)), jsonv2.Unmarshal([]byte(c.raw), new(plainTree), jsonv2.AllowInvalidUTF8(true))
				if around == "elements" {
					byHand, err = new(listResult).scan([]byte(c.raw)), jsonv2.Unmarshal([]byte(c.raw), new(plainList), jsonv2.AllowInvalidUTF8(true))
				}
				if byHand != c.once || (err == nil) != c.once {
					t.Errorf("%s: read by hand %t, by the package %v", c.raw, byHand, err)
				}
			}
		}
	}
	if names < 40 {
		t.Errorf("only %d names", names)
	}
	for _, raw := range []string{`{"viewport":{"width":1,"width":1}}`, `{"left":{"below":1,"below":1}}`, `{"elements":[{"rect":{"x":1,"x":1}}]}`} {
		if new(listResult).scan([]byte(raw)) {
			t.Errorf("%s is read by hand", raw)
		}
	}
}

// TestScanDeep: nodes within nodes end at a bound, whatever is written; those of the
// extractor, at most 800 deep, are read by hand.
func TestScanDeep(t *testing.T) {
	deep := func(n int) []byte {
		return []byte(`{"nodes":[` + strings.Repeat(`{"children":[`, n-1) + strings.Repeat(`]}`, n-1) + `]}`)
	}
	for n, want := range map[int]bool{1: true, 801: true, deepest: true, deepest + 1: false} {
		var tree treeResult
		if got := tree.scan(deep(n)); got != want {
			t.Errorf("%d deep is read by hand: %t", n, got)
		}
		if err := tree.UnmarshalJSON(deep(n)); err != nil {
			t.Errorf("%d deep: %v", n, err)
		}
	}
	side := []byte(`{"nodes":[` + strings.Repeat(`{"children":[]},`, 2*deepest) + `{}]}`)
	if !new(treeResult).scan(side) {
		t.Error("nodes side by side count as deep")
	}
	endless := []byte(`{"nodes":[` + strings.Repeat(`{"children":[`, 3_000_000))
	if err := new(treeResult).UnmarshalJSON(endless); err == nil {
		t.Error("nodes without an end are a tree")
	}
}

// TestScanKnowsAll: no field of the wire is left to the package.
func TestScanKnowsAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 50 {
		var tree treeResult
		var list listResult
		filled(reflect.ValueOf(&tree).Elem(), rnd, 3)
		filled(reflect.ValueOf(&list).Elem(), rnd, 2)
		whole(reflect.ValueOf(&tree).Elem())
		whole(reflect.ValueOf(&list).Elem())
		type plainTree treeResult
		type plainList listResult
		if raw := stringified(t, (*plainTree)(&tree)); !new(treeResult).scan(raw) {
			t.Fatalf("%d: %s", i, raw)
		}
		if raw := stringified(t, (*plainList)(&list)); !new(listResult).scan(raw) {
			t.Fatalf("%d: %s", i, raw)
		}
	}
	for _, s := range []string{"0", "-0", "0.1", "80.9", "-12.25", "123456789012.125", "0.30000000000000004", "-0.30000000000000004", "999999999999999", "0.000000000000001"} {
		sc := scanner{b: []byte(s)}
		want, err := strconv.ParseFloat(s, 64)
		if got := sc.number(); err != nil || sc.bad || got != want {
			t.Errorf("%s is read as %v", s, got)
		}
	}
}

// whole leaves of numbers what is written without an exponent.
func whole(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "" {
				whole(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			whole(v.Index(i))
		}
	case reflect.Float64:
		v.SetFloat(float64(int(v.Float()*10)%100000) / 10)
	}
}

// BenchmarkScan is what it takes to read the tree and the list of a page with a
// thousand controls, by hand and by the package.
func BenchmarkScan(b *testing.B) {
	var tree treeResult
	var list listResult
	for i := range 500 {
		tree.Nodes = append(tree.Nodes, ariaNode{ID: 3 * i, Role: "listitem", Tag: "li", Children: []ariaNode{
			{ID: 3*i + 1, Role: "link"}, {Role: "text", Name: "costs " + strconv.Itoa(i)},
		}})
		for range 2 {
			list.Elements = append(list.Elements, RawElement{ID: i, Tag: "a", Role: "link", Name: "Item " + strconv.Itoa(i), Href: "/small", Enabled: true, Rect: Rect{8, float64(i) + 0.5, 80, 18}, Group: "page: Goods"})
		}
	}
	type plainTree treeResult
	type plainList listResult
	rawTree, rawList := stringified(b, (*plainTree)(&tree)), stringified(b, (*plainList)(&list))
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !new(treeResult).scan(rawTree) || !new(listResult).scan(rawList) {
				b.Fatal("left to the package")
			}
		}
	})
	b.Run("by the package", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if jsonv2.Unmarshal(rawTree, new(plainTree)) != nil || jsonv2.Unmarshal(rawList, new(plainList)) != nil {
				b.Fatal("not read")
			}
		}
	})
}
