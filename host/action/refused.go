package action

import (
	"fmt"
	"strings"

	"tabwright/safety"
)

// blockedHint returns the hint for a refusal that the user can lift; "" means the hint
// of the code.
func blockedHint(d safety.Decision) string {
	if len(d.Reasons) == 1 && d.Reasons[0].Rule == "private_address" {
		return "Only the user can allow it, by naming the address in the task or with --allow-host. Do the task another way, or tell them."
	}
	return ""
}

func reasons(d safety.Decision) string {
	var out []string
	for _, r := range d.Reasons {
		out = append(out, r.Text)
	}
	if len(out) == 0 {
		return fmt.Sprintf("%s is never done", d.Class)
	}
	return strings.Join(out, "; ")
}
