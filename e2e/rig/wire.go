package rig

import (
	"context"
	"encoding/json"
	"fmt"
)

// wire opens a port of its own beside the panel's, once a page: to the broker
// it is one more panel.
const wire = `window.__wire ??= (() => {
	const port = chrome.runtime.connect({name: 'panel'}), open = new Map();
	let last = 0;
	port.onMessage.addListener(m => { if (m.kind === 'res') { open.get(m.id)?.(m); open.delete(m.id); } });
	return {
		retry: () => port.postMessage({kind: 'evt', method: 'relay.retry', params: {}}),
		call: (method, params) => new Promise(done => {
			const id = ++last;
			open.set(id, done);
			port.postMessage({kind: 'req', id, method, params});
			setTimeout(() => { if (open.delete(id)) done({error: {code: 'timeout', message: 'no answer within 5 s'}}); }, 5000);
		}),
	};
})()`

// Call calls a method of the broker as a panel does, whatever the panel shows.
func (p *Panel) Call(ctx context.Context, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var res struct {
		Result json.RawMessage `json:"result"`
		Error  *struct{ Code, Message string }
	}
	if err := p.Eval(ctx, fmt.Sprintf(`(%s).call(%q, %s)`, wire, method, raw), &res); err != nil {
		return err
	}
	if res.Error != nil {
		return fmt.Errorf("%s: %s: %s", method, res.Error.Code, res.Error.Message)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(res.Result, result)
}

// Retry makes the extension connect to the host now.
func (p *Panel) Retry(ctx context.Context) error {
	return p.Eval(ctx, `(`+wire+`).retry()`, nil)
}
