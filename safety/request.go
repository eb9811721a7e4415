package safety

// Request is a request that a page is about to send as an effect of an act. It
// shows what a press does, whatever the label.
type Request struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Type   string `json:"type"`           // "fetch", "xhr", "ping", "document" or MessageType
	Mime   string `json:"mime,omitempty"` // the body's content type
	Body   string `json:"body,omitempty"` // as text; cut off after MaxRequestBody bytes
	// Changes says that ChangedOnly reduced the body to the changes of a state.
	Changes bool `json:"changes,omitempty"`
}

// MaxRequestBody is how much of a body is judged, in bytes.
const MaxRequestBody = 64 << 10
