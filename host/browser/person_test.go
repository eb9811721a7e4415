package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
)

// TestPersonBehindABusyHost: input of our own is known as such however late the
// news of it comes, and a user's is not taken for it.
func TestPersonBehindABusyHost(t *testing.T) {
	now := time.Now()
	sent := now.Add(-3 * time.Second)
	made := func(age, ago time.Duration) string {
		return fmt.Sprintf("%d %d", age.Milliseconds(), now.Add(-ago).UnixMilli())
	}
	for _, tt := range []struct {
		name, payload string
		person        bool
	}{
		{"ours, told three seconds later", made(4*time.Millisecond, 3*time.Second), false},
		{"ours, handled a second later and told after that", made(time.Second, 2*time.Second), false},
		{"a user's, told at once", made(4*time.Millisecond, 0), true},
		{"a user's, told late", made(4*time.Millisecond, time.Second), true},
		{"a user's, from a browser whose clock is an hour ahead", made(4*time.Millisecond, -time.Hour), true},
		{"ours, from a browser whose clock is an hour ahead, told at once", fmt.Sprintf("3000 %d", now.Add(time.Hour).UnixMilli()), false},
		{"a user's, told without a clock", "4", true},
		{"nothing that can be read", "x", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tab := &Tab{inputs: inputs{from: sent, until: sent.Add(10 * time.Millisecond)}}
			if got := tab.bindingCalled("", runtime.EventBindingCalled{Name: userBinding, Payload: tt.payload}); got != tt.person {
				t.Errorf("told as a user's: %v, want %v", got, tt.person)
			}
		})
	}
}
