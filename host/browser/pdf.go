package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// PDFOptions of PDF. The zero value is A4-or-letter paper as Chrome chooses it,
// upright, without backgrounds.
type PDFOptions struct {
	Landscape  bool
	Background bool // print background colours and pictures
}

// pdfTime bounds one printing: a long page takes its time.
const pdfTime = 60 * time.Second

// PDF prints the page (Page.printToPDF).
func (t *Tab) PDF(ctx context.Context, o PDFOptions) ([]byte, error) {
	var res page.PrintToPDFResult
	err := t.race(ctx, func(ctx context.Context) error {
		var err error
		res, err = cdp.Call(WithCallTimeout(ctx, pdfTime), t.root, page.PrintToPDF, page.PrintToPDFParams{
			Landscape: &o.Landscape, PrintBackground: &o.Background,
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("print the page: %w", err)
	}
	if len(res.Data) == 0 {
		return nil, errors.New("print the page: Chrome gave an empty file")
	}
	return res.Data, nil
}
