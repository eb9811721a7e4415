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
		"Payer 19€99": "19€99", "19€,99 TTC.": "19€,99", "1 250€50, frais compris": "1 250€50", "£3.20": "£3.20", "19€, 20 pièces": "19€", "19€999": "19€",
		"19€.": "19€", "le 19€12.05.2026": "19€",
	} {
		if got := Amounts(text); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := Amounts("10€20€, 5€ 12 fois"); !slices.Equal(got, []string{"10€", "20€", "5€"}) {
		t.Errorf("prices that touch: %q", got)
	}
	for _, text := range []string{
		"ETH 2 is here", "Room 12", "ETH Zürich, since 1855", "5 ETHernet ports", "10 SOLutions", "Version 3.2.1", "2026-11-22", "درهم", "٣ كتب", "MXNet 2",
	} {
		if got := Amounts(text); len(got) > 0 {
			t.Errorf("%q: %q is no money", text, got)
		}
	}
}
