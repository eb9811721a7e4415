package safety

import (
	"slices"
	"testing"
)

func TestAmounts(t *testing.T) {
	for text, want := range map[string]string{
		"Pay $12.50 now": "$12.50", "1.299,00 € inkl. MwSt.": "1.299,00 €", "MXN 349.00": "MXN 349.00", "349.00 MXN": "349.00 MXN", "MX$349": "MX$349",
		"الإجمالي 250 درهم": "250 درهم", "١٢٥٫٥٠ درهم": "١٢٥٫٥٠ درهم", "99 د.إ": "99 د.إ", "AED 40": "AED 40",
		"Send 0.015 BTC": "0.015 BTC", "1.5 ETH": "1.5 ETH", "BTC 0.02": "BTC 0.02", "250 USDT": "250 USDT", "88元": "88元",
	} {
		if got := Amounts(text); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{
		"ETH 2 is here", "Room 12", "ETH Zürich, since 1855", "5 ETHernet ports", "10 SOLutions", "Version 3.2.1", "2026-11-22", "درهم", "٣ كتب", "MXNet 2",
	} {
		if got := Amounts(text); len(got) > 0 {
			t.Errorf("%q: %q is no money", text, got)
		}
	}
}
