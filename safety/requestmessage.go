package safety

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A WebSocket carries messages of any kind to one address, so its address says nothing. A message
// names its operation in one of a few ways; readMessage writes it as a body that bodyReader reads.

// message is what a message of a WebSocket says.
type message struct {
	to      string // the path that it names, if any: STOMP's destination
	body    string // its operations under opKeys; "" if it does nothing
	graphql bool   // the body holds a document of GraphQL
	changes bool   // an operation makes or changes something; others may well only read
}

// MessageType is the Type of a Request that is a message of a WebSocket.
const MessageType = "websocket"

var (
	// socketIO is the framing of Engine.IO and Socket.IO: the kind of a packet, its namespace and the
	// number of its acknowledgement, then JSON.
	socketIO = regexp.MustCompile(`^\d{1,3}-?(?:/[^,\[{]*,)?\d*([\[{])`)
	// stomp is a frame of STOMP 1.2: a command, headers, an empty line, a body.
	stomp     = regexp.MustCompile(`^([A-Z]{3,11})\r?\n((?:[^\r\n]+\r?\n)*)\r?\n`)
	stompGoal = regexp.MustCompile(`(?m)^destination:([^\r\n]+)`)
	// stanza is a message of XMPP (RFC 6121, 5.2) with a text.
	stanza = regexp.MustCompile(`^<message\b[^>]*?\bto=["']([^"']*)["'](?s:.*?)<body[^>]*>([^<]*)`)
)

// recordEnd stands behind each message of SignalR.
const recordEnd = "\x1e"

// cutName finds the operation of a message that was cut off, so that it is no JSON any more.
var cutName = regexp.MustCompile(`^\[[^"\[{]*"([^"]{1,80})"|"(?:type|event|msg|target|service|kind|method|action)"\s*:\s*"([^"]{1,80})"`)

// readMessage takes the framing off a message.
func readMessage(v *vocabulary, text string) message {
	text = strings.TrimSpace(text)
	if m := stomp.FindStringSubmatch(text); m != nil {
		goal := stompGoal.FindStringSubmatch(m[2])
		if m[1] != "SEND" || goal == nil {
			return message{}
		}
		return message{to: strings.ReplaceAll(goal[1], ".", "/"), body: strings.TrimRight(text[len(m[0]):], "\x00\r\n"), changes: true}
	}
	if m := stanza.FindStringSubmatch(text); m != nil {
		return message{body: encode(map[string]any{"to": m[1], "body": m[2]}), changes: true}
	}
	if at := socketIO.FindStringSubmatchIndex(text); at != nil {
		text = text[at[2]:]
	}
	var out message
	var all []any
	for part := range strings.SplitSeq(text, recordEnd) {
		var one any
		if strings.TrimSpace(part) == "" {
			continue
		}
		if json.Unmarshal([]byte(part), &one) != nil { // plain text, or cut off
			out = message{body: text, changes: true}
			if m := cutName.FindStringSubmatch(text); m != nil {
				out.body = "[" + encode(map[string]any{"operationName": cmp.Or(m[1], m[2])}) + "," + text
			}
			return out
		}
		all = append(all, v.operations(one, &out))
	}
	if len(all) > 0 {
		out.body = encode(all)
	}
	return out
}

// nameKeys are keys that name the operation of a message; those of ownerKeys say of what.
var (
	nameKeys  = []string{"type", "event", "eventname", "msg", "msgtype", "messagetype", "service", "target", "kind", "method", "action", "command", "cmd", "op", "operation"}
	ownerKeys = wordSet("domain object module model entity resource class controller namespace")
)

// operations writes a message with its operations under keys of opKeys. Names that only say what the
// page wants to hear of are left out.
func (v *vocabulary) operations(msg any, of *message) any {
	switch m := msg.(type) {
	case []any:
		return v.listOperations(m, of)
	case map[string]any:
		if payload, ok := m["payload"].(map[string]any); ok {
			if query, ok := payload["query"].(string); ok && strings.Contains(query, "{") {
				of.graphql, of.changes = true, of.changes || strings.Contains(query, "mutation")
				return payload // GraphQL over WebSocket
			}
		}
		var owners []string
		for k, val := range m {
			if s, ok := val.(string); ok && ownerKeys[keyName(k)] && len(s) < maxName {
				owners = append(owners, s)
			}
		}
		slices.Sort(owners) // a map has no order
		owner := strings.Join(owners, " ")
		rest := map[string]any{}
		var ops []any
		for k, val := range m {
			s, ok := val.(string)
			key := keyName(k)
			if !ok || !slices.Contains(nameKeys, key) || len(s) > maxName || s == "" || strings.Count(s, " ") > 3 {
				rest[k] = val
				continue
			}
			if own := v.name(owner); key == "service" || key == "method" || key == "action" {
				if own.noun == CodeClass && !v.name(s).calm {
					s = "run " + own.word // any operation of a script but a look runs it, whatever its name
				} else if owner != "" {
					s = owner + " " + s
				}
			}
			if !v.streams(s) {
				ops = append(ops, v.operation(s, m, of))
			}
		}
		return map[string]any{"operations": ops, "rest": rest}
	}
	return msg
}

// phoenixParts is how many parts a message of Phoenix has: two numbers, a topic, a name, an object.
const phoenixParts = 5

// listOperations is operations for a list: messages written as texts (SockJS), messages, or the
// name of an operation with its arguments (Socket.IO, WAMP, Phoenix).
func (v *vocabulary) listOperations(m []any, of *message) any {
	if inner := v.unpack(m, of); inner != nil {
		return inner
	}
	isName := func(x any) bool {
		s, ok := x.(string)
		return ok && s != "" && !isNumber(s) && len(s) <= maxName
	}
	var ops []any
	args := m
	if at := slices.IndexFunc(m, isName); at >= 0 {
		if _, ok := m[len(m)-1].(map[string]any); ok && len(m) == phoenixParts && at == 2 && isName(m[3]) {
			at = 3
		}
		args = m[at+1:]
		if name, _ := m[at].(string); !v.streams(name) {
			ops = append(ops, v.operation(name, args, of))
		}
	}
	rest := make([]any, 0, len(args))
	for _, x := range args {
		s, _ := x.(string)
		if sense := v.name(s); isName(x) && !strings.Contains(s, " ") && sense.class != "" && !sense.lone {
			ops = append(ops, v.operation(s, nil, of)) // a command given as an argument
		}
		if s != "" && (s[0] == '{' || s[0] == '[') {
			var inner any
			if json.Unmarshal([]byte(s), &inner) == nil {
				x = inner
			}
		}
		rest = append(rest, v.operations(x, of))
	}
	return map[string]any{"operations": ops, "rest": rest}
}

// unpack reads a list of messages that are written as texts; nil for any other list.
func (v *vocabulary) unpack(m []any, of *message) []any {
	var inner []any
	for _, x := range m {
		s, _ := x.(string)
		if s == "" || s[0] != '{' && s[0] != '[' && !stomp.MatchString(s) {
			return nil
		}
		in := readMessage(v, s)
		of.to, of.graphql, of.changes = cmp.Or(of.to, in.to), of.graphql || in.graphql, of.changes || in.changes
		if json.Valid([]byte(in.body)) {
			inner = append(inner, json.RawMessage(in.body))
		} else {
			inner = append(inner, in.body)
		}
	}
	return inner
}

// switches turn a thing on or off, which the same control takes back.
var switches = wordSet("turnon turnoff toggle")

// operation gives a name with a key of opKeys: as a command, unless it is but a noun, and the
// message has no text: "message" is the name of every message of some libraries, "orders" of those
// with orders.
func (v *vocabulary) operation(name string, with any, of *message) any {
	s := v.name(name)
	of.changes = of.changes || (s.makes || s.changes) && !s.calm && !s.still && !switches[s.tail]
	if s.lone && (s.class != Identity || s.count < 2) && !hasText(with, 0) {
		return map[string]any{"method": name}
	}
	return map[string]any{"operationName": name}
}

// hasText reports a value with a text that a user may have written.
func hasText(v any, depth int) bool {
	switch v := v.(type) {
	case []any:
		return depth < 3 && slices.ContainsFunc(v, func(x any) bool { s, ok := x.(string); return ok && s != "" || hasText(x, depth+1) })
	case map[string]any:
		for k, x := range v {
			if s, ok := x.(string); ok && s != "" && keyKinds[keyName(k)]&ofText != 0 && k != "msg" || depth < 3 && hasText(x, depth+1) {
				return true
			}
		}
	}
	return false
}

// streams reports an operation that begins or ends what the page hears of, and changes nothing.
func (v *vocabulary) streams(name string) bool {
	hears, joins, does, known := false, false, false, false
	for _, w := range v.nameWords(name) {
		t := v.look(w)
		switch {
		case v.sets["hear"][w]:
			hears = true
		case v.sets["join"][w]:
			joins = true
		default:
			does = does || t.is(verbRole|makeRole|changeRole)
			known = known || t.roles&^neutralRole != 0
		}
	}
	return hears && !does || joins && !known
}

// encode writes a value that came from JSON.
func encode(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}
