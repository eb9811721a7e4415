package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// PDFOptions are the options of PDF. The zero value is Chrome's default paper,
// A4 or letter, in portrait and without backgrounds.
type PDFOptions struct {
	Landscape  bool
	Background bool // print background colours and pictures
}

// pdfTime bounds one printing, which is slow for a long page.
const pdfTime = 60 * time.Second

// PDF prints the page (Page.printToPDF) and returns the file.
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
