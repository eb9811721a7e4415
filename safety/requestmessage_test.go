package safety

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestMessages: what a message of a web socket does is read in the framings of common libraries.
func TestMessages(t *testing.T) {
	page := Act{Action: "click", Page: Page{URL: "https://app.test/"}, Target: &Target{Tag: "button", Role: "button", Name: "Save"}}
	for _, c := range []struct {
		text string
		want []Class // none: it leaves unasked
	}{
		// The texts in a binary format: MessagePack, MQTT, protocol buffers
		{`["type","delete_order"]`, []Class{Destroy}},
		{`["home/door/set","{\"action\":\"delete\",\"id\":7}"]`, []Class{Destroy}},
		{`["MQTT","client-7"]`, nil},
		{`["subscribe","orders/#"]`, nil},
		{`["SyncStep","getOrders"]`, nil},
		// Socket.IO, Engine.IO
		{`2`, nil},
		{`40`, nil},
		{`42["join",{"room":7}]`, nil},
		{`42["typing",{"room":7}]`, nil},
		{`42["subscribe","orders"]`, nil},
		{`42["message",{"type":"ping"}]`, nil},
		{`42["deleteMessage",{"id":7}]`, []Class{Destroy}},
		{`4217["delete",7]`, []Class{Destroy}},
		{`42/admin,3["ban_user",{"id":7}]`, []Class{Destroy}},
		{`42["placeOrder",{"symbol":"ABC"}]`, []Class{Purchase}},
		{`42["message",{"text":"Hello Ida"}]`, []Class{Communicate}},
		{`42["chat message","Hello Ida"]`, []Class{Communicate}},
		{`42["getList",7]`, nil},
		{`42["cursor",{"x":4,"y":8}]`, nil},
		{`42["change-password",{"old_password":"a","new_password":"b"}]`, []Class{Identity}},
		{`42["input",{"target":3,"text":"/kick tom"}]`, []Class{Destroy}},
		{`42["input",{"target":3,"text":"/topic No tea today"}]`, []Class{Communicate}},
		{`42["input",{"target":3,"text":"/whois tom"}]`, nil},
		{`42["input",{"target":3,"text":"/list"}]`, nil},
		{`42["input",{"target":3,"text":"/close"}]`, nil},
		{`42["input",{"target":3,"text":"/leave"}]`, []Class{Destroy}},
		{`42["input",{"target":3,"text":"/banlist"}]`, nil},
		{`42["input",{"target":3,"text":"/home/ida is full"}]`, nil},
		{`42["input",{"target":3,"path":"/delete"}]`, nil},
		// JSON with the operation under a key
		{`{"id":37,"type":"config/auth/delete","user_id":"a1"}`, []Class{Destroy}},
		{`{"id":38,"type":"subscribe_events","event_type":"state_changed"}`, nil},
		{`{"id":39,"type":"unsubscribe_events","subscription":7}`, nil},
		{`{"id":40,"type":"ping"}`, nil},
		{`{"id":41,"type":"auth/create_token","client_name":"Eve"}`, []Class{Identity}},
		{`{"id":42,"type":"call_service","domain":"light","service":"turn_on"}`, nil},
		{`{"id":43,"type":"lovelace/dashboards/delete","dashboard_id":"old"}`, []Class{Destroy}},
		{`{"id":44,"type":"call_service","domain":"lock","service":"unlock","service_data":{"entity_id":"lock.front"}}`, []Class{Settings}},
		{`{"id":45,"type":"call_service","domain":"script","service":"let_the_cleaner_in"}`, []Class{CodeClass}},
		{`{"id":46,"type":"call_service","domain":"script","service":"list"}`, nil},
		{`{"type":"message","channel":"C7","text":"Hello Ida"}`, []Class{Communicate}},
		{`{"type":"typing","channel":"C7"}`, nil},
		{`{"action":"remove_member","id":7}`, []Class{Destroy}},
		{`{"op":1,"d":251}`, nil},
		{`{"event":"presence","data":{}}`, nil},
		// JSON-RPC and DDP
		{`{"jsonrpc":"2.0","method":"orders.cancel","params":[7],"id":1}`, []Class{Destroy}},
		{`{"jsonrpc":"2.0","method":"orders.list","params":[7],"id":1}`, nil},
		{`["{\"msg\":\"method\",\"method\":\"/tasks/remove\",\"params\":[7],\"id\":\"1\"}"]`, []Class{Destroy}},
		{`["{\"msg\":\"sub\",\"id\":\"1\",\"name\":\"tasks\",\"params\":[]}"]`, nil},
		// GraphQL over WebSocket
		{`{"id":"1","type":"subscribe","payload":{"query":"subscription { orderAdded { id } }"}}`, nil},
		{`{"type":"connection_init"}`, nil},
		{`{"id":"2","type":"subscribe","payload":{"query":"mutation { deleteOrder(id: 7) { id } }"}}`, []Class{Destroy}},
		// Phoenix, Action Cable, SignalR, STOMP, XMPP
		{`["4","5","room:lobby","phx_join",{}]`, nil},
		{`[null,"6","phoenix","heartbeat",{}]`, nil},
		{`["4","7","room:lobby","delete_message",{"id":7}]`, []Class{Destroy}},
		{`["4","8","lv:phx-F1","event",{"type":"click","event":"delete","value":{"id":"7"}}]`, []Class{Destroy}},
		{`{"command":"subscribe","identifier":"{\"channel\":\"RoomChannel\"}"}`, nil},
		{`{"command":"message","identifier":"{\"channel\":\"RoomChannel\"}","data":"{\"action\":\"destroy\",\"id\":7}"}`, []Class{Destroy}},
		{"{\"protocol\":\"json\",\"version\":1}\x1e", nil},
		{"{\"type\":6}\x1e", nil},
		{"{\"type\":1,\"target\":\"DeleteUser\",\"arguments\":[7]}\x1e", []Class{Destroy}},
		{"{\"type\":1,\"target\":\"GetUser\",\"arguments\":[7]}\x1e", nil},
		{"CONNECT\naccept-version:1.2\n\n\x00", nil},
		{"SUBSCRIBE\nid:0\ndestination:/topic/orders\n\n\x00", nil},
		{"SEND\ndestination:/app/orders.7.delete\ncontent-length:2\n\n{}\x00", []Class{Destroy}},
		{`<presence from="a@b.test"/>`, nil},
		{`<message to="ida@b.test" type="chat"><body>Hello Ida</body></message>`, []Class{Communicate}},
		{`<message to="ida@b.test"><composing/></message>`, nil},
		{"plain text", nil},
		{``, nil},
		// Names beside arguments, texts in texts, keys that are ours too
		{`42["deleteMessage","64f1c0ffee"]`, []Class{Destroy}},
		{`42["deleteUser","bob"]`, []Class{Destroy}},
		{`42["chat message","ok"]`, []Class{Communicate}},
		{`42["deleteOrder","{\"id\":7}"]`, []Class{Destroy}},
		{`42["deleteOrder","sub"]`, []Class{Destroy}},
		{`42["act","delete_order"]`, []Class{Destroy}},
		{"SEND\ndestination:/app/orders.7.delete\n\n\x00", []Class{Destroy}},
		{"[\"SEND\\ndestination:/app/orders/7/delete\\n\\n{}\\u0000\"]", []Class{Destroy}},
		{`{"v":3,"operations":[{"action":"delete_order","id":7}]}`, []Class{Destroy}},
		{`{"type":"delete_order","payload":{"query":"invoices"}}`, []Class{Destroy}},
		{`{"type":"subscribe","payload":{"operationName":"DeleteOrder","extensions":{}}}`, []Class{Destroy}},
		{`{"type":"delete_sub_account"}`, []Class{Destroy}},
		{`[48,1,{},"com.app.order.delete",[7]]`, []Class{Destroy}},
		{`{"domain":"script","entity":"a","service":"start"}`, []Class{CodeClass}},
		{`42["deleteOrder",{"note":"` + strings.Repeat("x", 100), []Class{Destroy}},
		{`{"msg":"removeOrder","note":"` + strings.Repeat("x", 100), []Class{Destroy}},
	} {
		d := JudgeRequest(Request{Method: "SEND", URL: "wss://app.test/orders/socket?transport=websocket", Type: MessageType, Body: c.text}, page, Context{})
		got := []Class{}
		if d.Level >= Confirm {
			got = append(got, d.Class)
		}
		if len(got) != len(c.want) || len(got) == 1 && !slices.Contains(c.want, got[0]) {
			t.Errorf("%s: %v (%s), want %v", strconv.Quote(c.text), got, d.Reasons, c.want)
		}
	}
}

// TestMessagesOfAPressWithoutWords: after a press that nobody can make out, a message that may change
// something is asked about, but none that only reads or switches a thing.
func TestMessagesOfAPressWithoutWords(t *testing.T) {
	page := Act{Action: "click", Page: Page{URL: "https://app.test/"}, Target: &Target{Tag: "div", HasHandler: true}}
	for text, asked := range map[string]bool{
		`{"id":4,"type":"history/stream"}`: false, `{"id":5,"type":"config/entity_registry/get"}`: false, `{"id":6,"type":"logbook/event_stream"}`: false, `42["load",7]`: false,
		`{"id":7,"type":"call_service","domain":"light","service":"turn_on"}`: false, `{"id":8,"type":"call_service","domain":"cover","service":"open_cover"}`: true,
		`42["saveRow",{"id":7}]`: true, `{"action":"update","id":7}`: true, "frobnicate 7": true,
	} {
		d := JudgeRequest(Request{Method: "SEND", URL: "wss://app.test/socket", Type: MessageType, Body: text}, page, Context{})
		if (d.Level >= Confirm) != asked {
			t.Errorf("%s: %v, %v", text, d.Level, d.Reasons)
		}
	}
}
