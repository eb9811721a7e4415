package wire

// RelayEvents returns the names of the events with which the service worker reports
// changes in the browser. They are handled inline (rpc.Peer.HandleInline), so that no
// answer overtakes the events before it.
func RelayEvents() []string {
	return []string{
		EventCDP, EventCDPDetached, EventTabCreated, EventTabUpdated, EventTabRemoved, EventTabReplaced, EventTabActivated,
		EventDownload,
	}
}
