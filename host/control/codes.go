package control

import "tabwright/host/native/wire"

// Codes of the broker's own refusals.
const (
	CodeNoTask    wire.Code = "no_task"    // no task of that id, or it does not run
	CodeNoCard    wire.Code = "no_card"    // the confirmation is not open any more
	CodeNoBrowser wire.Code = "no_browser" // no browser with the extension is connected
	CodeTabBusy   wire.Code = "tab_busy"   // another task works in that tab
	CodeNoModel   wire.Code = "no_model"   // no model can be used
	// CodeLooking is the error of a list that is not complete yet; whoever sees it
	// asks again.
	CodeLooking wire.Code = "looking"
	// CodeNoConversation is the refusal of an id that no conversation has.
	CodeNoConversation wire.Code = "no_conversation"
	// CodeNoFlow is the error for an id that no workflow has.
	CodeNoFlow wire.Code = "no_flow"
	// CodeNoPicture is the refusal of a step that no picture was taken of.
	CodeNoPicture wire.Code = "no_picture"
	// CodeNoSaved is the error for an id that no kept workflow has.
	CodeNoSaved wire.Code = "no_saved"
	// CodeNoSession is the error for a name that no open session has.
	CodeNoSession wire.Code = "no_session"
	// CodePanelOnly is the refusal of a client that may not answer a question: in
	// the person's Chrome only the panel answers.
	CodePanelOnly wire.Code = "panel_only"
	// CodeSettings says that the settings or keys can't be read or written.
	CodeSettings wire.Code = "settings"
)
