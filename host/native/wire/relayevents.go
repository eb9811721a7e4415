package wire

// RelayEvents are what the service worker tells of the browser. They are taken
// inline (Peer.HandleInline), so that no answer overtakes the events before it.
func RelayEvents() []string {
	return []string{
		EventCDP, EventCDPDetached, EventTabCreated, EventTabUpdated, EventTabRemoved, EventTabReplaced, EventTabActivated,
		EventDownload,
	}
}
