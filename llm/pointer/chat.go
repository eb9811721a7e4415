package pointer

// Converse returns the messages of a conversation for the family: in turns with the
// newest screenshots only, or in one message if the family needs that.
func (f *Family) Converse(t Talk) []Message {
	for i := range t.Turns[:max(len(t.Turns)-f.Shots, 0)] {
		t.Turns[i].Picture = nil
	}
	if f.converse != nil {
		return f.converse(t)
	}
	return chat(t)
}

// chat returns a conversation in turns: the task with the first screenshot, then
// each answer, and its result with the next screenshot.
func chat(t Talk) []Message {
	out := []Message{}
	said := t.Task
	for _, turn := range t.Turns {
		m := Message{Role: User, Text: lines(said, turn.Shown)}
		if len(turn.Picture) > 0 {
			m.Pictures = []Picture{{turn.Picture, turn.MIME}}
		}
		out = append(out, m)
		if turn.Said != "" {
			out = append(out, Message{Role: Assistant, Text: turn.Said})
		}
		said = turn.Result
	}
	return out
}

func lines(parts ...string) string {
	var out string
	for _, p := range parts {
		if p == "" {
			continue
		}
		if out != "" {
			out += "\n\n"
		}
		out += p
	}
	return out
}
