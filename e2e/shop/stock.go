package shop

import (
	"math/rand/v2"
	"strconv"
)

// stock makes the catalogue. Every seed gives the same kinds of traps: the
// lowest number beside the words "blue" and "mug" is never the answer. A blue
// plate and a stand for mugs cost less than any mug, the cheapest blue mug is
// sold out, and one says "from" a price that only holds for six.
func stock(seed int64) (products []Product, firstOrder int) {
	r := rand.New(rand.NewPCG(uint64(seed), 0x6d7567)) //nolint:gosec // a catalogue, not a secret

	sizes := []struct{ name, blurb string }{
		{"small", "Holds 200 ml. Thrown by hand, so no two are quite alike."},
		{"large", "Holds 450 ml, for long mornings."},
		{"tall", "A narrow foot and a straight wall. Holds 350 ml."},
		{"wide", "As wide as a bowl, for soup as well. Holds 400 ml."},
		{"double-walled", "Keeps tea hot and fingers cool. Holds 300 ml."},
		{"enamel", "Light and hard to break. Holds 350 ml."},
	}
	r.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })

	var out []Product
	ids := map[string]bool{}
	add := func(p Product) {
		for p.ID == "" || ids[p.ID] {
			p.ID = strconv.Itoa(1000 + r.IntN(9000))
		}
		ids[p.ID] = true
		out = append(out, p)
	}
	// Prices of what can be had climb from a base in uneven steps, so they
	// never tie.
	price := 900 + r.IntN(500)
	step := func() int {
		price += 60 + r.IntN(190)
		return price - price%10
	}
	base := price - price%10
	for _, size := range sizes[:4] {
		add(Product{Name: "Blue mug, " + size.name, Kind: "mug", Colour: "blue", Price: step(), Blurb: size.blurb})
	}
	add(Product{
		Name: "Blue mug, " + sizes[4].name, Kind: "mug", Colour: "blue", Price: base - 110 - 10*r.IntN(8), SoldOut: true,
		Blurb: sizes[4].blurb,
	})
	add(Product{
		Name: "Blue mug, stackable", Kind: "mug", Colour: "blue", Price: step() + 300, Six: base - 60 - 10*r.IntN(6),
		Blurb: "Made to stand on its own kind. The lower price holds from six pieces.",
	})
	add(Product{
		Name: "Blue plate, dessert", Kind: "plate", Colour: "blue", Price: base - 330 - 10*r.IntN(9),
		Blurb: "20 cm across, in the glaze of our blue mugs.",
	})
	add(Product{
		Name: "Blue mug tree, holds six", Kind: "accessory", Colour: "blue", Price: base - 250 - 10*r.IntN(9),
		Blurb: "Beech, painted. The mugs are not part of it.",
	})
	colours := []string{"green", "red", "white", "black", "yellow", "grey"}
	r.Shuffle(len(colours), func(i, j int) { colours[i], colours[j] = colours[j], colours[i] })
	for i, c := range colours[:5] {
		size := sizes[(i+2)%len(sizes)]
		add(Product{
			Name: title(c) + " mug, " + size.name, Kind: "mug", Colour: c, Price: 700 + 10*r.IntN(140), Blurb: size.blurb,
		})
	}
	add(Product{
		Name: title(colours[5]) + " plate, dinner", Kind: "plate", Colour: colours[5], Price: 1200 + 10*r.IntN(90),
		Blurb: "27 cm across.",
	})
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, 10000 + r.IntN(80000)
}

func title(s string) string { return string(s[0]-'a'+'A') + s[1:] }
