package pagecontext

import "fmt"

// Mention names an element outside of a list, as in an effect, an echo or an error:
// button "Remove" in "Discover •••• 6221" [14]. what is its role and name; row is the
// text of its row and index its index, both left out if empty or 0.
func Mention(what, row string, index int) string {
	if row != "" {
		what += fmt.Sprintf(" in %q", row)
	}
	if index > 0 {
		what += fmt.Sprintf(" [%d]", index)
	}
	return what
}
