package sites

import (
	"strings"

	"tabwright/e2e/eval/suite"
)

var bankTasks = on(newBank,
	taskOn[*bank]{
		suite.Task{
			ID: "bank-freeze", Lang: "en", Level: 1, Acts: 1, Start: "/cards",
			Text: `Freeze the card "Travel".`,
		},
		func(*bank) goal { return goal{set: facts{"card.travel.frozen": "on"}} },
	},
	taskOn[*bank]{
		suite.Task{
			ID: "bank-balance", Lang: "en", Level: 1, Acts: 1, Start: "/accounts",
			Text: "What is the available balance of the Holiday savings account?",
		},
		func(k *bank) goal {
			var g goal
			for _, a := range k.accounts {
				g.decoys = append(g.decoys, plainMoney(a.Balance))
				if a.Slug == "holiday" {
					g.answer = [][]string{moneyForms(a.Available)}
				} else {
					g.decoys = append(g.decoys, plainMoney(a.Available))
				}
			}
			return g
		},
	},
	taskOn[*bank]{
		suite.Task{
			ID: "bank-statements-zh", Lang: "zh", Level: 1, Acts: 2, Start: "/statements",
			Text: "把“日常账户”的对账单改为电子版并保存。",
		},
		func(*bank) goal { return goal{set: facts{"account.everyday.paper": "off"}} },
	},
	taskOn[*bank]{
		suite.Task{
			ID: "bank-transfer", Lang: "en", Level: 2, Acts: 6, Start: "/accounts",
			Text: "Transfer £85.50 from Everyday to Holiday savings, without a reference.",
		},
		func(*bank) goal { return goal{set: facts{"transfer.1": "85.50 from Everyday to Holiday savings"}} },
	},
	taskOn[*bank]{
		suite.Task{
			ID: "bank-power-zh", Lang: "zh", Level: 2, Acts: 4, Start: "/accounts",
			Text: "2026年3月从日常账户付给“城市电力”多少钱?",
		},
		func(k *bank) goal {
			var g goal
			for _, m := range k.account("everyday").Moves {
				switch {
				case !strings.HasPrefix(m.Who, "城市"):
				case m.Who == "城市电力" && m.Day.Month() == 3:
					g.answer = [][]string{moneyForms(-m.Amount)}
				default:
					g.decoys = append(g.decoys, plainMoney(-m.Amount))
				}
			}
			return g
		},
	},
	taskOn[*bank]{
		suite.Task{
			ID: "bank-payee", Lang: "en", Level: 3, Acts: 11, Start: "/accounts",
			Text: `Add the payee Marek Novak with the IBAN CZ65 0800 0000 1920 0014 5399. Then pay him £120.00 from the Everyday account with the reference "Bike repair".`,
		},
		func(*bank) goal {
			return goal{set: facts{"payee.Marek Novak": "CZ6508000000192000145399", "transfer.1": "120.00 from Everyday to Marek Novak", "transfer.1.reference": "Bike repair"}}
		},
	},
	taskOn[*bank]{
		suite.Task{
			ID: "bank-changes", Lang: "en", Level: 3, Acts: 8, Start: "/accounts",
			Text: `Change the amount of the standing order to Oak Gym to £32.00, and set the limit of the card "Online" to £500.`,
		},
		func(k *bank) goal {
			g := goal{set: facts{"card.online.limit": "500.00"}}
			for _, s := range k.standing {
				if s.Slug == "gym" {
					was := k.facts()["standing.gym"]
					g.set["standing.gym"] = "32.00" + was[strings.Index(was, " "):]
				}
			}
			return g
		},
	},
)
