package action

import "testing"

func TestSameNumber(t *testing.T) {
	for _, tt := range []struct {
		holds, text string
		same, ok    bool
	}{
		{"12.5", "12.5", true, true},
		{"12,5", "12.5", true, true},
		{"12,50 €", "12.5", true, true},
		{"125", "12.5", false, true},
		{"1,25", "12.5", false, true},
		{"099", "0.99", false, true},
		{"0,99", "0.99", true, true},
		{".99", "0.99", true, true},
		{"1.250,50", "1,250.50", true, true},
		{"1 250,50", "1,250.50", true, true},
		{"1’250.50 CHF", "1,250.50", true, true},
		{"1,25", "1,250.50", false, true},
		{"1,25 0.50", "1,250.50", false, true},
		{"1.250", "1250", true, true},
		{"12,34,567", "1234567", true, true},
		{"15,00", "1500", false, true},
		{"5", "-5", false, true},
		{"−5,00", "-5", true, true},
		{"(5.00)", "-5", true, true},
		{"-$5.00", "-5", true, true},
		{"5.00-", "-5", true, true},
		{"0,05", "-5", false, true},
		{"١٢٫٥", "12.5", true, true},
		{"12.5%", "12.5", true, true},
		{"12.05.____", "12.05", true, true},
		{"", "12.5", false, true},
		{"1.000.000", "1000000", true, true},
		// Digits alone may be no quantity.
		{"(555) 123-4567", "5551234567", false, false},
		{"+1 555 123", "555123", false, false},
		{"4111 1111 1111 1111", "4111111111111111", false, false},
		{"01234", "01234", false, false},
		{"1234", "01234", false, false},
		{"12/26", "1226", false, false},
		{"London", "Lon", false, false},
		{"10.0.0.1", "10.0.0.1", false, false},
	} {
		if same, ok := sameNumber(tt.holds, tt.text); same != tt.same || ok != tt.ok {
			t.Errorf("%q for %q: %v, %v", tt.holds, tt.text, same, ok)
		}
	}
	for text, want := range map[string]string{
		"12.5": "12,50", "0.99": "0,99", "1,250.50": "1250,50", "12,5": "12.50", "1500": "1500,00", "-5": "-5,00", "1.250": "", "ab": "",
	} {
		if got := otherNotation(text); got != want {
			t.Errorf("%q as %q, want %q", text, got, want)
		}
	}
}
