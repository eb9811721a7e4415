package prompts

// Kinds of Notice of a replay, all for the user.
const (
	ReplayDone   = "replay_done"   // number of steps, number of mended ones (empty: none)
	ReplayAsks   = "replay_asks"   // step, number of steps, why
	ReplayMended = "replay_mended" // step, why
	ReplayKept   = "replay_kept"
)

// ReplayKinds are all kinds of a replay.
var ReplayKinds = []string{ReplayDone, ReplayAsks, ReplayMended, ReplayKept}
