package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// dayRE finds days and weeks, which time.ParseDuration does not know.
var dayRE = regexp.MustCompile(`^(\d{1,4})([dw])$`)

// ParseDuration reads a length of time, of which each flag and setting takes the same
// form: 500ms, 90s, 5m, 1h30m, 12h, 30d, 8w.
func ParseDuration(s string) (time.Duration, error) {
	if m := dayRE.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1])
		d := time.Duration(n) * 24 * time.Hour
		if m[2] == "w" {
			d *= 7
		}
		return d, err
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration such as 500ms, 90s, 5m, 12h, 30d or 8w", s)
	}
	return d, nil
}

// FormatDuration writes a length of time as ParseDuration reads it, the shortest way.
func FormatDuration(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}
