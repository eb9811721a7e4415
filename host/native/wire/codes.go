package wire

// Codes of the broker's own refusals.
const (
	CodeNoTask    Code = "no_task"    // no task of that id, or it does not run
	CodeNoCard    Code = "no_card"    // the confirmation is not open any more
	CodeNoBrowser Code = "no_browser" // no browser with the extension is connected
	CodeTabBusy   Code = "tab_busy"   // another task works in that tab
	CodeNoModel   Code = "no_model"   // no model can be used
	// CodeLooking is the error in a list that is not complete yet; the client asks
	// again.
	CodeLooking Code = "looking"
	// CodeNoConversation is the error for an id that no conversation has.
	CodeNoConversation Code = "no_conversation"
	// CodeNoFlow is the error for an id that no workflow has.
	CodeNoFlow Code = "no_flow"
	// CodeNoPicture is the error for a step of which no picture was taken.
	CodeNoPicture Code = "no_picture"
	// CodeNoSaved is the error for an id that no kept workflow has.
	CodeNoSaved Code = "no_saved"
	// CodeNoSession is the error for a name that no open session has.
	CodeNoSession Code = "no_session"
	// CodePanelOnly is the error for a client that does what only the panel may do,
	// such as answering a question in the user's Chrome.
	CodePanelOnly Code = "panel_only"
	// CodeSettings says that the settings or keys can't be read or written.
	CodeSettings Code = "settings"
)
