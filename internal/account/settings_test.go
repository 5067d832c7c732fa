package account_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTwoPoliciesThatAreChangedAtOnceAreBothKept(t *testing.T) {
	t.Parallel()
	for range 20 {
		h := newHouse(t)
		var both sync.WaitGroup
		for _, change := range []map[string]any{{"agent_approval": "off"}, {"four_eyes": true}} {
			both.Go(func() {
				if _, err := h.try(h.owner, "settings.change", change); err != nil {
					t.Errorf("change %v: %v", change, err)
				}
			})
		}
		both.Wait()
		want := map[string]any{"agent_approval": "off", "four_eyes": true}
		if diff := cmp.Diff(want, h.ok(h.owner, "settings.get", nil)); diff != "" {
			t.Fatalf("the policies (-want +got):\n%s", diff)
		}
	}
}
