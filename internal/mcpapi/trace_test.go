package mcpapi

import (
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestOnlyAWellFormedTraceContextReachesTheLog(t *testing.T) {
	t.Parallel()
	const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for value, want := range map[any]string{
		good: good, good + "-more": "", "": "", 7: "", nil: "",
		"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\n": "",
		"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01":  "",
	} {
		if got := traceparent(&mcp.Meta{AdditionalFields: map[string]any{"traceparent": value}}); got != want {
			t.Errorf("%v: %q, want %q", value, got, want)
		}
	}
	if got := traceparent(nil); got != "" {
		t.Errorf("without _meta: %q", got)
	}
}
