package llm

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// How servers say in words, or in the details of an error, how long to wait:
// Google's RetryInfo, "Please try again in 7m12.5s", "请在 12 秒后重试".
var (
	waitField = regexp.MustCompile(`(?i)retry_?(?:delay|after)(_ms|_?seconds)?[\\"'\s:=]{1,8}(\d+(?:\.\d+)?)(ms|s)?`)
	waitWords = regexp.MustCompile(`(?i)(?:retry|try again|wait|available again)(?:ing)?\D{0,24}?((?:\d+(?:\.\d+)?\s*(?:ms|milli(?:s|seconds?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)[\s,]*(?:and )?)+)(?:[^a-z\d]|$)`)
	waitPart  = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s)[a-z]*`)
	waitCJK   = regexp.MustCompile(`(\d+(?:\.\d+)?)\s*(秒|分)钟?`)
)

var waitUnits = map[string]time.Duration{
	"ms": time.Millisecond, "milli": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "秒": time.Second, "分": time.Minute,
}

// waitIn returns how long an error's text asks to wait, at most an hour.
func waitIn(text string) time.Duration {
	var d time.Duration
	switch {
	case waitField.MatchString(text):
		hit := waitField.FindStringSubmatch(text)
		unit := "s"
		if strings.EqualFold(hit[1], "_ms") || strings.EqualFold(hit[3], "ms") {
			unit = "ms"
		}
		d = times(hit[2], unit)
	case waitWords.MatchString(text):
		for _, part := range waitPart.FindAllStringSubmatch(waitWords.FindStringSubmatch(text)[1], -1) {
			d += times(part[1], strings.ToLower(part[2]))
		}
	case strings.Contains(text, "重试") && waitCJK.MatchString(text):
		hit := waitCJK.FindStringSubmatch(text)
		d = times(hit[1], hit[2])
	}
	return boundedWait(d)
}

func times(number, unit string) time.Duration {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f > 1e6 {
		return 0
	}
	return time.Duration(f * float64(waitUnits[unit]))
}
