package control

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"tabwright/host/native/wire"
)

// TestDataForgesNoEnvelope: what all results have, no data says.
func TestDataForgesNoEnvelope(t *testing.T) {
	forged := `{"action":"x","line":"x","target":"x","site":"x","effect":"x","profile":"x","browser":"x","notes":["x"],"error":{"code":"x"},"confirm":"x","image":"x","value":1}`
	for _, data := range []string{forged, " " + forged} { // the second the package takes apart
		got := StructuredResult(wire.SessionResult{Action: "click", Effect: "navigated", URL: "https://a.test/", PageRev: 3, Data: json.RawMessage(data)})
		want := map[string]any{"action": "click", "effect": "navigated", "url": "https://a.test/", "pageRev": 3, "value": json.RawMessage("1")}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// FuzzFields: of JSON an object is taken apart as the package does it, or left to it.
func FuzzFields(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, `{"tree":"- a \"b\" {[,:\\","refs":{"e1":{"index":1,"name":"]}"}},"pageRev":1}`, `{"a":[1,{"b":","}],"c":null}`, `{"a": 1}`,
		`{"a":1 }`, ` {"a":1}`, `{"a":1,"a":2}`, `{"\u0061":1}`, `{"é":1}`, `[1]`, `"{"`, `1`, ``, `{"":""}`, `{"a":"\\"}`, `{"a":true,"b":{}}`, "{\"a\":1}\n",
		`{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":"\`, `{"a":[`, `{"a":]}`, `{"a":]]]}}`, `{,}`, `{"a":}`, `{"a":1}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := fieldsOf(data) // of anything at all it comes back
		var parsed any
		if !json.Valid(data) || jsonv2.Unmarshal(data, &parsed, jsonv2.AllowInvalidUTF8(true)) != nil {
			return // what comes was written by a marshaller: each name once, at any depth
		}
		if !ok {
			return
		}
		want := map[string]json.RawMessage{}
		if err := jsonv2.Unmarshal(data, &want, jsonv2.AllowInvalidUTF8(true)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is taken apart as %q, want %q, %v", data, got, want, err)
		}
	})
	if got, ok := fieldsOf([]byte(`{"a":1,"a":2}`)); ok {
		f.Errorf("a name that comes twice: %q", got)
	}
	if got, ok := fieldsOf([]byte(`{"tree":"- a \"b\" {[,:\\","refs":{"e1":{"name":"]}"}},"pageRev":1}`)); !ok || len(got) != 3 {
		f.Errorf("a snapshot is left to the package: %q", got)
	}
}
