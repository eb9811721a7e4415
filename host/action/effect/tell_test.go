package effect

import (
	"strings"
	"testing"
)

// TestNumbersAreToldWhole: what is left out of two long texts ends in no number.
func TestNumbersAreToldWhole(t *testing.T) {
	long := strings.Repeat("alike ", 20)
	for _, tc := range [][3]string{
		{long + "paid 1,234,567.80 at 12:30:45", long + "paid 1,234,567.80 at 12:30:46", "…1,234,567.80 at 12:30:4"},
		{long + "$ 1 234 567 890 12", long + "$ 1 234 567 890 13", "…$ 1 234 567 890 1"},
		{long + "CHF 1'234'567'890.10", long + "CHF 1'234'567'890.15", "…1'234'567'890.1"},
		{long + "١٢٣٤٥٦٧٨٩٠١٢٣٤٥", long + "١٢٣٤٥٦٧٨٩٠١٢٣٤٦", "…١٢٣٤٥٦٧٨٩٠١٢٣٤"},
		{long + "−12345678901234", long + "−12345678901235", "…−1234567890123"},
	} {
		from, to := apart(tc[0], tc[1])
		if !strings.HasPrefix(from, tc[2]) || !strings.HasPrefix(to, tc[2]) || from == to {
			t.Errorf("%q and %q", from, to)
		}
	}
}

func TestTextsApart(t *testing.T) {
	long := strings.Repeat("alike ", 20)
	for _, tc := range [][4]string{
		{"0", "1", "0", "1"},
		{long + "old", long + "new", "…alike alike old", "…alike alike new"},
		{"short alike", "short alive", "short alike", "short alive"},
	} {
		if from, to := apart(tc[0], tc[1]); from != tc[2] || to != tc[3] {
			t.Errorf("%q and %q are %q and %q", tc[0], tc[1], from, to)
		}
	}
}
