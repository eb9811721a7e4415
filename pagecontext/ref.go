package pagecontext

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxIndex is above every index that ParseRef accepts: a model's "e99999999999" is
// an error, not an overflow.
const maxIndex = 1 << 31

var snapshotID = regexp.MustCompile(`^snap_[0-9a-z]{6}$`)

// FormatRef returns the ref of an index: e12.
func FormatRef(index int) string { return "e" + strconv.Itoa(index) }

func isRef(s string) bool {
	_, _, err := ParseRef(s)
	return err == nil
}

// ParseRef reads a ref as models write it: e12, @e12, 12, [12], or with the
// snapshot it came from, snap_ab12cd:e12.
func ParseRef(s string) (index int, snapshot string, err error) {
	t := strings.TrimSpace(s)
	t = strings.TrimPrefix(t, "@")
	if snap, rest, ok := strings.Cut(t, ":"); ok {
		if !snapshotID.MatchString(snap) {
			return 0, "", fmt.Errorf("%q is no ref: want e12, @e12 or snap_ab12cd:e12", s)
		}
		snapshot, t = snap, strings.TrimPrefix(rest, "@")
	}
	if strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") {
		t = t[1 : len(t)-1]
	}
	digits := strings.TrimPrefix(t, "e")
	for _, r := range digits {
		if r < '0' || r > '9' {
			return 0, "", fmt.Errorf("%q is no ref: want e12, @e12 or snap_ab12cd:e12", s)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n >= maxIndex {
		return 0, "", fmt.Errorf("%q is no ref: want e12, @e12 or snap_ab12cd:e12", s)
	}
	return int(n), snapshot, nil
}
