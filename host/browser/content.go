package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// ErrContentTooLarge is the error for a document of more bytes than were asked for.
var ErrContentTooLarge = errors.New("the document is too large")

// contentPiece is how many bytes of a document are read at a time.
const contentPiece = 1 << 20

// Content returns the bytes of the document that the frame shows. If there are more
// than most, the error is ErrContentTooLarge. The browser loads the document again,
// with its cookies, and from its cache if it is there. The page does not notice.
func (f *Frame) Content(ctx context.Context, most int) ([]byte, error) {
	address, _, _ := strings.Cut(f.URL(), "#")
	if !strings.HasPrefix(address, "http") {
		return f.fetched(ctx, address, most)
	}
	s := f.Session()
	res, err := cdp.Call(ctx, s, network.LoadNetworkResource, network.LoadNetworkResourceParams{
		FrameID: f.id, URL: address, Options: &network.LoadNetworkResourceOptions{IncludeCredentials: true},
	})
	if err != nil {
		return f.fetched(ctx, address, most) // a browser that does not offer it to us
	}
	r := res.Resource
	if r == nil || !r.Success || r.Stream == "" {
		return nil, fmt.Errorf("get %s: %s", address, contentFault(r))
	}
	defer func() { _, _ = cdp.Call(context.WithoutCancel(ctx), s, io.Close, io.CloseParams{Handle: r.Stream}) }()
	var out []byte
	for {
		part, err := cdp.Call(ctx, s, io.Read, io.ReadParams{Handle: r.Stream, Size: contentPiece})
		if err != nil {
			return nil, fmt.Errorf("get %s: %w", address, err)
		}
		if out = append(out, part.Data...); len(out) > most {
			return nil, ErrContentTooLarge
		}
		if part.EOF {
			return out, nil
		}
	}
}

func contentFault(r *network.LoadNetworkResourcePageResult) string {
	switch {
	case r == nil:
		return "no answer"
	case r.NetErrorName != "":
		return r.NetErrorName
	}
	return fmt.Sprintf("HTTP status %.0f", r.HTTPStatusCode)
}

// fetched fetches an address in an isolated world of the frame, which can also read
// what exists only in the page, such as a blob.
func (f *Frame) fetched(ctx context.Context, address string, most int) ([]byte, error) {
	s := f.Session()
	world, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: f.id, WorldName: "tabwright-content"})
	if err != nil {
		return nil, err
	}
	arg, err := json.Marshal(address)
	if err != nil {
		return nil, err
	}
	yes := true
	got, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{
		Expression:   fmt.Sprintf(`fetch(%s, { credentials: "include", cache: "force-cache" }).then((r) => r.ok ? r.blob() : Promise.reject(new Error("HTTP status " + r.status)))`, arg),
		ContextID:    world.ExecutionContextID,
		AwaitPromise: &yes, Silent: &yes, ObjectGroup: objectGroup,
	})
	if err != nil {
		return nil, err
	}
	if got.ExceptionDetails != nil {
		return nil, fmt.Errorf("get %s: %w", address, jsError(got.ExceptionDetails))
	}
	blob := got.Result.ObjectID
	defer f.Release(context.WithoutCancel(ctx), blob)
	var out []byte
	for {
		const piece = `function (from, to) { return new Promise((done, fail) => { const r = new FileReader(); r.onload = () => done(r.result); r.onerror = () => fail(r.error); r.readAsDataURL(this.slice(from, to)); }); }`
		args, err := callArguments([]any{len(out), len(out) + contentPiece})
		if err != nil {
			return nil, err
		}
		part, err := cdp.Call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: piece, ObjectID: blob, Arguments: args, AwaitPromise: &yes, ReturnByValue: &yes, Silent: &yes,
		})
		if err != nil {
			return nil, err
		}
		var url string
		if part.ExceptionDetails != nil || json.Unmarshal(part.Result.Value, &url) != nil {
			return nil, fmt.Errorf("get %s: it can't be read", address)
		}
		_, data, _ := strings.Cut(url, ",")
		b, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return nil, err
		}
		if out = append(out, b...); len(out) > most {
			return nil, ErrContentTooLarge
		}
		if len(b) < contentPiece {
			return out, nil
		}
	}
}
