package action

import (
	"testing"

	"tabwright/host/browser"
)

// A page that the user has pinched larger is let go of, since points are not
// where it says: what is clicked is what was named.
func TestRealPinch(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		l.eval(`document.body.innerHTML = "<button id=near style='position:absolute;left:10px;top:10px'>Near</button><button id=far style='position:absolute;left:600px;top:300px'>Far</button>";
			window.log = []; for (const b of document.querySelectorAll("button")) b.onclick = () => log.push(b.id); 0`)
		for _, id := range []string{"far", "near"} {
			l.cdp("Input.synthesizePinchGesture", p{"x": 600, "y": 300, "scaleFactor": 2})
			if l.eval("visualViewport.scale > 1.5 && visualViewport.offsetLeft > 0") != "true" {
				t.Fatal("the page is not pinched")
			}
			l.ok("click", p{"selector": "#" + id})
		}
		l.wantLog("far", "near")
	})
}
