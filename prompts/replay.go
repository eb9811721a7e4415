package prompts

// Kinds of Notice of a replay, all for the user.
const (
	ReplayDone   = "replay_done"   // how many steps, how many of them mended (empty: none)
	ReplayAsks   = "replay_asks"   // which step, of how many, why
	ReplayMended = "replay_mended" // which step, why
	ReplayKept   = "replay_kept"
)

// ReplayKinds are all of them.
var ReplayKinds = []string{ReplayDone, ReplayAsks, ReplayMended, ReplayKept}
