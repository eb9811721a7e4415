import assert from "node:assert/strict";
import test from "node:test";
import { amountsIn, currency } from "./money";

test("amounts are found as shops print them", () => {
  for (const [text, want] of Object.entries({
    "Pay $12.50 now": "$12.50", "Total: 1.299,00 €": "1.299,00 €", "1 299,00 Kč": "1 299,00 Kč", "CHF 4'500.00": "CHF 4'500.00",
    "MXN 349.00": "MXN 349.00", "349.00 MXN": "349.00 MXN", "MX$349": "MX$349", "R$ 20": "R$ 20",
    "الإجمالي 250 درهم": "250 درهم", "١٢٥٫٥٠ درهم": "١٢٥٫٥٠ درهم", "99 د.إ": "99 د.إ", "ر.س 40": "ر.س 40",
    "Send 0.015 BTC": "0.015 BTC", "1.5 ETH": "1.5 ETH", "BTC 0.02": "BTC 0.02", "250 USDT": "250 USDT", "¥ 88": "¥ 88", "88元": "88元",
  })) {
    assert.deepEqual(amountsIn(text), [want], text);
    assert.equal(currency.test(text), true, text);
  }
});

test("what only looks like money is none", () => {
  for (const text of [
    "ETH 2 is here", "Room 12", "ETH Zürich, since 1855", "5 ETHernet ports", "10 SOLutions", "3 BTCs2", "Version 3.2.1", "2026-11-22",
    "درهم", "٣ كتب", "12 kroner", "MXNet 2", "Call +1 555 0100", "",
  ]) assert.deepEqual(amountsIn(text), [], text);
});
