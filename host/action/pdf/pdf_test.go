package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if Child() {
		return
	}
	os.Exit(m.Run())
}

// document writes a PDF of these objects, the first of which is the catalogue.
func document(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	at := make([]int, len(objects))
	for i, o := range objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}

func stream(dict, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(content), content)
}

// onePage writes a PDF of one page with this content and these fonts and forms;
// further objects begin with number 5.
func onePageOf(content, resources string, more ...string) []byte {
	return document(append([]string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<" + resources + ">>>>", stream("", content),
	}, more...)...)
}

const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/Widths[" +
	"278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 " +
	"667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 " +
	"556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584]>>"

func TestRead(t *testing.T) {
	twoBytes := "<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</Subtype/CIDFontType2/DW 500/W[1[600 700]]>>]>>"
	codes := stream("", "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"+
		"2 beginbfchar <0001> <4E2D> <0002> <00660066> endbfchar 2 beginbfrange <0010> <0012> <0041> <0020> <0021> [<0061> <0062>] endbfrange endcmap")
	for _, c := range []struct {
		name string
		pdf  []byte
		want string
	}{
		{"words by distance", onePageOf("BT /F 10 Tf 50 700 Td [(Blue)-300(m)20(ug)] TJ 0 -12 Td (a second line) Tj ET", "/Font<</F 5 0 R>>", helvetica), "Blue mug\na second line"},
		{"a row of cells", onePageOf("BT /F 10 Tf 50 700 Td (Item) Tj 100 0 Td (Price) Tj -100 -14 Td (Mug) Tj 100 0 Td (12.50) Tj ET", "/Font<</F 5 0 R>>", helvetica), "Item  Price\nMug  12.50"},
		{"paragraphs", onePageOf("BT /F 10 Tf 50 700 Td (One) Tj 0 -40 Td (Two) Tj ET", "/Font<</F 5 0 R>>", helvetica), "One\n\nTwo"},
		{"painted twice", onePageOf("BT /F 10 Tf 50 700 Td (Total) Tj ET BT /F 10 Tf 50.3 700 Td (Total) Tj ET", "/Font<</F 5 0 R>>", helvetica), "Total"},
		{"doubled letters", onePageOf("BT /F 10 Tf 50 700 Td (illness // 1,111) Tj ET", "/Font<</F 5 0 R>>", helvetica), "illness // 1,111"},
		{"quotes and leading", onePageOf(`BT /F 10 Tf 12 TL 50 700 Td (One) Tj (Two) ' 0 0 (Three) " ET`, "/Font<</F 5 0 R>>", helvetica), "One\nTwo\nThree"},
		{
			"in a form", onePageOf("q 1 0 0 1 50 600 cm /X Do Q", "/Font<</F 5 0 R>>/XObject<</X 6 0 R>>", helvetica,
				stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "BT /F 10 Tf (Inside) Tj ET")), "Inside",
		},
		{"codes of two bytes", onePageOf("BT /F 10 Tf 50 700 Td <000100020010001100120021> Tj ET", "/Font<</F 5 0 R>>", twoBytes, codes), "中ffABCb"},
		{"nothing to read", onePageOf("0 0 100 100 re f", ""), ""},
	} {
		got, err := Read(t.Context(), c.pdf)
		if err != nil || got.Count != 1 || len(got.Pages) != 1 || got.Pages[0] != c.want {
			t.Errorf("%s: %+v, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestReadHostile: what is none, or is made to break the reader, is an error in time.
func TestReadHostile(t *testing.T) {
	loop := document("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 3>>")
	within := onePageOf("/X Do", "/XObject<</X 5 0 R>>", stream("/Subtype/Form/Resources<</XObject<</X 5 0 R>>>>", "/X Do /X Do"))
	for name, data := range map[string][]byte{
		"no PDF": []byte("<html>not found</html>"), "empty": nil, "cut": []byte("%PDF-1.7\nxref\n"),
		"deep": append([]byte("%PDF-1.4\n1 0 obj\n"), bytes.Repeat([]byte("["), 1<<20)...),
	} {
		if d, err := Read(t.Context(), data); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	for name, data := range map[string][]byte{"a circle of pages": loop, "a form in itself": within} {
		if d, err := Read(t.Context(), data); err != nil && !errors.Is(err, ErrUnreadable) || len(d.Pages) > mostNodes {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, within); err == nil {
		t.Error("it is read though nobody waits")
	}
}

func TestReadable(t *testing.T) {
	for painted, want := range map[string]string{
		"\ufb01rst o\ufb00er": "first offer", "\ufee2\ufedf\ufe8e\ufecc\ufedf\ufe8e\ufe91 \ufe8e\ufe92\ufea3\ufeae\ufee3": "مرحبا بالعالم", "x² ½": "x² ½",
	} {
		if got := readable(painted); got != want {
			t.Errorf("%q: %q, want %q", painted, got, want)
		}
	}
	if got := tidy("a \n\n\n b\n"); got != "a\n\nb" || strings.Contains(got, " ") {
		t.Errorf("%q", got)
	}
}
