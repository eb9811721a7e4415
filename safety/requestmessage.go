package safety

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A WebSocket carries messages of any kind to one address, so its address says nothing. A message
// names its operation in one of a few ways; message writes it as a body that bodyReader reads.

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

// readMessage takes the framing off a message.
func readMessage(v *vocabulary, text string) message {
	text = strings.TrimSpace(text)
	if m := stomp.FindStringSubmatch(text); m != nil {
		goal := stompGoal.FindStringSubmatch(m[2])
		if m[1] != "SEND" || goal == nil {
			return message{}
		}
		return message{to: strings.ReplaceAll(goal[1], ".", "/"), body: strings.TrimRight(text[len(m[0]):], "\x00\r\n")}
	}
	if m := stanza.FindStringSubmatch(text); m != nil {
		return message{body: encode(map[string]any{"to": m[1], "body": m[2]})}
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
		if json.Unmarshal([]byte(part), &one) != nil {
			return message{body: text, changes: true} // plain text, or cut off
		}
		all = append(all, one)
	}
	for i, one := range all {
		if m, ok := one.(map[string]any); ok {
			if payload, ok := m["payload"].(map[string]any); ok && payload["query"] != nil {
				return message{body: encode(payload), graphql: true, changes: true}
			}
		}
		all[i] = v.operations(one, &out)
	}
	all = slices.DeleteFunc(all, func(x any) bool { return x == nil })
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

// operations writes a message with its operations under keys of opKeys. It returns nil for one that
// only says what the page wants to hear of.
func (v *vocabulary) operations(msg any, of *message) any {
	switch m := msg.(type) {
	case []any:
		return v.listOperations(m, of)
	case map[string]any:
		out, owner, named := map[string]any{}, "", false
		for k, val := range m {
			if s, ok := val.(string); ok && ownerKeys[keyName(k)] && len(s) < maxName {
				owner = s + " "
			}
		}
		var ops []any
		for k, val := range m {
			s, ok := val.(string)
			key := keyName(k)
			if !ok || !slices.Contains(nameKeys, key) || len(s) > maxName || s == "" || strings.Count(s, " ") > 3 {
				out[k] = val
				continue
			}
			named = true
			if key == "service" || key == "method" || key == "action" {
				if own := v.name(owner); own.noun == CodeClass && !v.name(s).calm {
					s = "run " + own.word // any operation of a script but a look runs it, whatever its name
				} else {
					s = owner + s
				}
			}
			if !v.streams(s) {
				ops = append(ops, v.operation(s, m, of))
			}
		}
		if named && len(ops) == 0 {
			return nil
		}
		out["operations"] = ops
		return out
	}
	return msg
}

// listOperations is operations for a list: messages written as texts (SockJS), messages, or the
// names of an operation with its arguments (Socket.IO, Phoenix).
func (v *vocabulary) listOperations(m []any, of *message) any {
	var inner []any
	for _, x := range m {
		if s, ok := x.(string); ok && s != "" && (s[0] == '{' || s[0] == '[') {
			if in := readMessage(v, s); in.body != "" {
				inner, of.changes = append(inner, json.RawMessage(in.body)), of.changes || in.changes
			}
		}
	}
	if len(inner) > 0 {
		return inner
	}
	var names []string
	rest := m
	for len(rest) > 0 {
		s, ok := rest[0].(string)
		if rest[0] != nil && !ok {
			break
		}
		if ok && s != "" && !isNumber(s) && len(s) <= maxName {
			if len(names) > 0 && strings.Contains(s, " ") {
				break // an argument
			}
			names = append(names, s)
		}
		rest = rest[1:]
	}
	if len(names) == 0 {
		for i, x := range m {
			m[i] = v.operations(x, of)
		}
		return m
	}
	last := names[len(names)-1]
	if v.streams(last) {
		return nil
	}
	args := make([]any, 0, len(rest))
	for _, x := range rest {
		args = append(args, cmp.Or(v.operations(x, of), any("")))
	}
	return map[string]any{"operations": []any{v.operation(last, rest, of)}, "arguments": args}
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
	known := 0
	alone := false
	for _, w := range v.nameWords(name) {
		switch {
		case v.sets["hear"][w]:
			return true
		case v.sets["join"][w]:
			alone = true
		case v.look(w).roles&^neutralRole != 0:
			known++
		}
	}
	return alone && known == 0
}

// encode writes a value that came from JSON.
func encode(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}
