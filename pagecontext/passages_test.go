package pagecontext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

const mugs = `# All about mugs

A mug is a cup with a handle.

## Shipping

We ship to Norway within 5 days.

- Parcel: $4
- Express: $12
  - before noon
- Pick-up: free

## Prices

| Mug | Price |
| --- | --- |
| Blue | $12.50 |
| Red | $9 |
| Crème brûlée | $14 |

` + "```" + `
price = 12

# not a heading
` + "```" + `

## 退货

退货需在三十天内。邮费由买家承担。

## 배송

배송 기간은 닷새입니다.`

func TestPassages(t *testing.T) {
	for _, c := range []struct {
		query, want string
		found       int
	}{
		{"express", "## All about mugs › Shipping\n\n- Express: $12\n  - before noon", 1},
		{"CREME BRULEE", "## All about mugs › Prices\n\n| Mug | Price |\n| --- | --- |\n| Crème brûlée | $14 |", 1},
		{"ｅｘｐｒｅｓｓ", "## All about mugs › Shipping\n\n- Express: $12\n  - before noon", 1},
		{"邮费", "## All about mugs › 退货\n\n退货需在三十天内。邮费由买家承担。", 1},
		{"기간", "## All about mugs › 배송\n\n배송 기간은 닷새입니다.", 1},
		{"zeppelin", "", 0},
		{"", "", 0},
	} {
		got, _, found := Passages(mugs, c.query, 2000)
		if got != c.want || found != c.found {
			t.Errorf("%q: %d\n%s\nwant %d\n%s", c.query, found, got, c.found, c.want)
		}
	}

	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "Paragraph %d: the quick brown fox near Zürich.\n\n", i)
	}
	if got, _, found := Passages(many.String(), "zurich paragraph 250", 2000); got != "Paragraph 250: the quick brown fox near Zürich." || found != 1 {
		t.Errorf("%d passages found:\n%s", found, got)
	}
	if _, _, found := Passages(many.String(), "zurich fox", 2000); found != 300 {
		t.Errorf("%d passages found of what all say", found)
	}

	if got, _, found := Passages(mugs, "price of the red mug", 2000); found < 2 || !strings.Contains(got, "| Red | $9 |") {
		t.Errorf("%d passages found of the price of the red mug:\n%s", found, got)
	}
	got, _, _ := Passages(mugs, "red price", 2000)
	for _, part := range []string{"| Mug | Price |\n| --- | --- |", "| Red | $9 |", "price = 12\n\n# not a heading"} {
		if !strings.Contains(got, part) {
			t.Errorf("lacks %q:\n%s", part, got)
		}
	}
	if strings.Contains(got, "Parcel") {
		t.Errorf("tells of parcels:\n%s", got)
	}

	got, _, _ = Passages(mugs, "parcel pickup pick free", 2000)
	if !strings.Contains(got, "- Parcel: $4\n\n…\n\n- Pick-up: free") {
		t.Errorf("what was left out is not said:\n%s", got)
	}
}

func TestPassagesKeepToTheLimit(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "## Part %d\n\nHere is the word ключ, and %d other things.\n\n", i, i)
	}
	b.WriteString("## Best\n\nключ ключ ключ")
	got, _, found := Passages(b.String(), "ключ", 300)
	if n := utf8.RuneCountInString(got); n > 300 || n < 150 {
		t.Errorf("%d characters:\n%s", n, got)
	}
	if found != 201 || !strings.Contains(got, "ключ ключ ключ") {
		t.Errorf("%d found, the best one is not among them:\n%s", found, got)
	}
	if got, _, _ := Passages("ключ "+strings.Repeat("слово ", 100), "ключ", 40); utf8.RuneCountInString(got) > 40 || !strings.HasPrefix(got, "ключ") {
		t.Errorf("a long one alone: %q", got)
	}
}

func TestHeadings(t *testing.T) {
	want := "All about mugs|All about mugs › Shipping|All about mugs › Prices|All about mugs › 退货|All about mugs › 배송"
	if got := strings.Join(Headings(mugs), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPieces(t *testing.T) {
	for _, limit := range []int{7, 40, 90, 5000} {
		var all []string
		cursor := ""
		for range 200 {
			piece, next, moved := Piece(mugs, cursor, limit)
			if moved {
				t.Fatalf("limit %d: moved at %s", limit, cursor)
			}
			if utf8.RuneCountInString(piece) > limit || !utf8.ValidString(piece) {
				t.Fatalf("limit %d: %q", limit, piece)
			}
			all = append(all, piece)
			if cursor = next; next == "" {
				break
			}
			if !ValidCursor(next) {
				t.Fatalf("%q is no cursor", next)
			}
		}
		squeeze := func(s string) string { return strings.NewReplacer("\n", "", " ", "").Replace(s) }
		if got := squeeze(strings.Join(all, "")); got != squeeze(mugs) {
			t.Errorf("limit %d: %d pieces don't make the whole:\n%s", limit, len(all), strings.Join(all, "¦"))
		}
	}
}

func TestPieceAfterAChange(t *testing.T) {
	first, next, _ := Piece(mugs, "", 120)
	rest, _, _ := Piece(mugs, next, 5000)
	grown := "# News\n\nA banner came meanwhile.\n\n" + mugs
	if got, _, moved := Piece(grown, next, 5000); moved || got != rest {
		t.Errorf("after %q: moved %v, %q; want %q", first, moved, got, rest)
	}
	if _, _, moved := Piece("something else entirely", next, 5000); !moved {
		t.Error("another text, and nothing is said")
	}
	for _, bad := range []string{"", "x", "1-2", "5-9-a", "-1-1-a", "9999999999999999999999-1-a"} {
		if ValidCursor(bad) {
			t.Errorf("%q is taken for a cursor", bad)
		}
	}
}

func FuzzPassages(f *testing.F) {
	f.Add(mugs, "price", 100)
	f.Add("```\n\n| a |\n| - |", "a", 1)
	f.Fuzz(func(t *testing.T, md, query string, limit int) {
		limit = min(max(limit, 1), 10000)
		if got, _, _ := Passages(md, query, limit); utf8.ValidString(md) && utf8.RuneCountInString(got) > limit+1 {
			t.Errorf("%d characters, at most %d", utf8.RuneCountInString(got), limit)
		}
		piece, next, _ := Piece(md, "", limit)
		if next != "" {
			if !ValidCursor(next) {
				t.Errorf("%q", next)
			}
			if again, _, moved := Piece(md, next, limit); moved || again == piece && strings.Trim(again, "\n") != "" && len(md) < limit {
				t.Errorf("the next piece is %q", again)
			}
		}
	})
}
