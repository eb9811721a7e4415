package pagecontext

import "fmt"

// Mention names an element where it does not stand under its row, as in an effect, an
// echo or an error: button "Remove" in "Discover •••• 6221" [14]. what is its role and
// name, row what its row says, or empty; of an element without an index it is 0.
func Mention(what, row string, index int) string {
	if row != "" {
		what += fmt.Sprintf(" in %q", row)
	}
	if index > 0 {
		what += fmt.Sprintf(" [%d]", index)
	}
	return what
}
