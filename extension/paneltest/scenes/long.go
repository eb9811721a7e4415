package scenes

import (
	"fmt"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// Long is a running task of so many steps.
func Long(steps int) Scene {
	events := story(began)
	for n := 1; n <= steps; n++ {
		events = append(events, step(n, "click", fmt.Sprintf(`Clicked "Item %d" on shop.test`, n), fmt.Sprintf(`link "Item %d"`, n), "ok", "Went to another page.", `{"index":7}`)...)
		if n%10 == 0 {
			events = append(events, wire.Event{Type: wire.EvThinking, Text: fmt.Sprintf("That was item **%d**; I go on with the next ten.", n)})
		}
	}
	return Scene{
		Name: "long", Models: localModels, State: wire.TaskRunning, Events: events,
		Until: fmt.Sprintf(`document.querySelector(".chat")?.textContent.includes("Item %d")`, steps) + ` && ` + paneltest.ByTestID("stop"),
	}
}
