package wire

import "encoding/json"

// Methods the extension's service worker calls on the broker (Chan empty).
const (
	MethodHello        = "hello"         // HelloParams → HelloResult; first message on every connection
	MethodChannelOpen  = "channel.open"  // ChannelParams; evt: a panel port opened
	MethodChannelClose = "channel.close" // ChannelParams; evt: a panel port closed
)

// Methods the broker calls on the service worker.
const (
	MethodCDPAttach     = "cdp.attach"       // TabParams → Empty; chrome.debugger.attach 1.3
	MethodCDPDetach     = "cdp.detach"       // TabParams → Empty
	MethodCDPSend       = "cdp.send"         // CDPSendParams → raw result of the command
	MethodCDPBatch      = "cdp.batch"        // CDPBatchParams → CDPBatchResult; several commands at once, in their order
	MethodCDPTargets    = "cdp.targets"      // Empty → []DebugTarget; chrome.debugger.getTargets
	MethodTabsList      = "tabs.list"        // Empty → []TabInfo
	MethodTabsGet       = "tabs.get"         // TabParams → TabInfo
	MethodTabsCreate    = "tabs.create"      // TabsCreateParams → TabInfo
	MethodTabsActivate  = "tabs.activate"    // TabParams → Empty
	MethodTabsRemove    = "tabs.remove"      // TabParams → Empty
	MethodInject        = "scripting.inject" // InjectParams → InjectResult; puts the extractor into the isolated world
	MethodFollow        = "scripting.follow" // FollowParams → Empty; puts the extractor into each new main document, until the tab is detached
	MethodReload        = "extension.reload" // Empty → Empty; chrome.runtime.reload
	MethodPing          = "ping"             // Empty → Empty; both ways
	EventCDP            = "cdp.event"        // CDPEvent; from chrome.debugger.onEvent
	EventCDPDetached    = "cdp.detached"     // CDPDetached; from chrome.debugger.onDetach
	EventTabCreated     = "tabs.created"     // TabInfo
	EventTabUpdated     = "tabs.updated"     // TabInfo
	EventTabRemoved     = "tabs.removed"     // TabParams
	EventTabReplaced    = "tabs.replaced"    // TabReplaced; from chrome.tabs.onReplaced
	EventTabActivated   = "tabs.activated"   // TabParams
	EventDownload       = "downloads.event"  // DownloadEvent; from chrome.downloads.onCreated / onChanged
	EventAttention      = "relay.attention"  // AttentionInfo; broker → service worker: what its browser should show, whenever it changes
	EventRelayStatus    = "relay.status"     // RelayStatus; the service worker → its panels, never to the broker
	EventRelayRetry     = "relay.retry"      // Empty; a panel → the service worker: try to reach the host now
	ReasonUserCancelled = "canceled_by_user" // CDPDetached.Reason when the user closed Chrome's debugging bar
)

// Empty is the params or result of a method that has none.
type Empty struct{}

// HelloParams opens a connection. Role is "relay" (the extension through a shim) or
// "cli" (any other client).
type HelloParams struct {
	Role        string `json:"role"`
	ProtocolMin int    `json:"protocolMin"`
	ProtocolMax int    `json:"protocolMax"`
	Version     string `json:"version"`
	ExtensionID string `json:"extensionId,omitempty"`
	Profile     string `json:"profile,omitempty"` // random, made once per Chrome profile, kept in chrome.storage.local
	// Run is random, made once per start of the browser or of the extension, and kept
	// in chrome.storage.session. Ids of tabs are valid within one run of the browser
	// only: Chrome may give them to other tabs in the next.
	Run     string   `json:"run,omitempty"`
	Browser *Browser `json:"browser,omitempty"`
}

// Browser names the browser of a relay.
type Browser struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Platform string `json:"platform"`
}

// HelloResult answers a hello.
type HelloResult struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	PID      int    `json:"pid"`
	Session  string `json:"session"` // of this broker process; a new one means the broker restarted
}

// ChannelParams names a panel's runtime port.
type ChannelParams struct {
	Chan string `json:"chan"`
}

// TabParams names a tab by Chrome's id.
type TabParams struct {
	TabID int `json:"tabId"`
}

// CDPSendParams is one DevTools command. SessionID is a flat child session
// (cross-site iframe), empty for the tab itself.
type CDPSendParams struct {
	TabID     int             `json:"tabId"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params,omitempty"`
}

// CDPBatchParams are DevTools commands of one session that are sent in their
// order, none waiting for the answer of the one before it.
type CDPBatchParams struct {
	TabID     int          `json:"tabId"`
	SessionID string       `json:"sessionId,omitempty"`
	Commands  []CDPCommand `json:"commands"`
}

// CDPCommand is a command of CDPBatchParams.
type CDPCommand struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// CDPBatchResult comes when all commands are answered. It has no results: only
// commands without a result are sent so.
type CDPBatchResult struct {
	// Errors has the text of each command's error at the command's index, empty for
	// one that succeeded. It is absent if all did.
	Errors []string `json:"errors,omitempty"`
}

// CDPEvent is one DevTools event.
type CDPEvent struct {
	TabID     int             `json:"tabId"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params,omitempty"`
}

// CDPDetached says that a tab is no longer attached, and Chrome's reason.
type CDPDetached struct {
	TabID  int    `json:"tabId"`
	Reason string `json:"reason"`
}

// DebugTarget is a row of chrome.debugger.getTargets.
type DebugTarget struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	TabID    int    `json:"tabId,omitempty"`
	Attached bool   `json:"attached"`
	Title    string `json:"title"`
	URL      string `json:"url"`
}

// TabInfo is a tab as chrome.tabs has it.
type TabInfo struct {
	TabID       int    `json:"tabId"`
	WindowID    int    `json:"windowId"`
	Index       int    `json:"index"`
	URL         string `json:"url"`
	Title       string `json:"title"`
	Active      bool   `json:"active"`
	Status      string `json:"status,omitempty"` // loading or complete
	Discarded   bool   `json:"discarded,omitempty"`
	OpenerTabID int    `json:"openerTabId,omitempty"`
}

// TabReplaced says that Chrome put another tab in the place of one, with a page that
// it had prerendered. If the new tab is a discarded one, the old tab is reported as
// removed instead.
type TabReplaced struct {
	TabID int `json:"tabId"` // of the tab that is there now
	Was   int `json:"was"`   // of the one that is gone
}

// TabsCreateParams opens a tab.
type TabsCreateParams struct {
	URL         string `json:"url"`
	Active      bool   `json:"active"`
	WindowID    int    `json:"windowId,omitempty"`
	OpenerTabID int    `json:"openerTabId,omitempty"`
	// Group is the tab group to put the tab in: the window's group of this title and
	// colour, or a new one.
	Group *TabGroup `json:"group,omitempty"`
}

// TabGroup names a tab group.
type TabGroup struct {
	Title string `json:"title"`
	Color string `json:"color"` // one of chrome.tabGroups.Color
}

// InjectParams asks for the extractor in every frame of a tab that lacks it.
type InjectParams struct {
	TabID int `json:"tabId"`
}

// FollowParams asks for the extractor in each new main document of a tab from now on.
// Look, "summary", "list" or "tree", is the look that will probably be the first: it is begun
// once the document has loaded. If Look is empty, none is.
type FollowParams struct {
	TabID int    `json:"tabId"`
	Look  string `json:"look,omitempty"`
}

// InjectResult says in which frames the extractor runs now.
type InjectResult struct {
	Frames []InjectedFrame `json:"frames"`
}

// InjectedFrame is one frame by Chrome's integer frame id.
type InjectedFrame struct {
	FrameID    int    `json:"frameId"`
	DocumentID string `json:"documentId"`
}

// Kinds of WaitingInfo.
const (
	WaitConfirm = "confirm" // a card
	WaitAsk     = "ask"     // a question, or a tab that was handed to the user
)

// AttentionInfo is all that concerns the user in this browser now. Each replaces the
// one before.
type AttentionInfo struct {
	Waiting []WaitingInfo `json:"waiting"` // for the user's answer
	Working []int         `json:"working"` // the tabs that are worked in
	// Expired are cards that were denied because nobody answered. A connection gets
	// each once, a new connection gets those of the last minutes again.
	Expired []WaitingInfo `json:"expired,omitempty"`
}

// WaitingInfo is a card or a question that waits. Its texts are those of the card,
// which come from the page and the policy.
type WaitingInfo struct {
	Task   string `json:"task"`
	ID     string `json:"id"` // of the card or question, so that nobody is told twice
	Kind   string `json:"kind"`
	TabID  int    `json:"tabId,omitempty"`
	Class  string `json:"class,omitempty"`
	Text   string `json:"text"` // the card's target, or the question
	Site   string `json:"site,omitempty"`
	Amount string `json:"amount,omitempty"`
	// Expires is when a card without an answer is denied, in Unix milliseconds.
	Expires int64 `json:"expires,omitempty"`
}

// DownloadEvent is a download that began or changed.
type DownloadEvent struct {
	ID       int    `json:"id"`
	URL      string `json:"url,omitempty"`
	Filename string `json:"filename,omitempty"`
	MIME     string `json:"mime,omitempty"`
	State    string `json:"state"` // in_progress, interrupted, complete
	Bytes    int64  `json:"bytes,omitempty"`
	Error    string `json:"error,omitempty"` // chrome.downloads.InterruptReason of an interrupted one, such as USER_CANCELED
}

// RelayStatus tells a panel whether the host is there.
type RelayStatus struct {
	Connected bool   `json:"connected"`
	Error     string `json:"error,omitempty"` // chrome.runtime.lastError, as it is
	// Older is the one that must be updated, host or extension, if they have no
	// protocol version in common.
	Older string `json:"older,omitempty"`
}

// OlderData is the data of the error of a hello whose versions do not fit.
type OlderData struct {
	Older string `json:"older"` // host, extension
}
