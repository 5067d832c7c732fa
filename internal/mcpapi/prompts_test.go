package mcpapi_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPromptsAreListedWithTheirArguments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rpc(t, w.me(), modern, "prompts/list", nil)
	got := map[string][]string{}
	prompts, _ := r.result["prompts"].([]any)
	for _, p := range prompts {
		name := fmt.Sprint(at(p, "name"))
		args, _ := at(p, "arguments").([]any)
		for _, a := range args {
			arg := fmt.Sprint(at(a, "name"))
			if at(a, "required") == true {
				arg += "!"
			}
			if at(a, "description") == nil {
				t.Errorf("%s: %s is not described", name, arg)
			}
			got[name] = append(got[name], arg)
		}
		if at(p, "description") == nil || at(p, "title") == nil {
			t.Errorf("%s has no title or description", name)
		}
	}
	want := map[string][]string{
		"preflight": {"task!", "files", "area", "tag", "workspace"}, "write_back": {"learned!", "files", "workspace"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if r.result["cacheScope"] != "private" {
		t.Errorf("cacheScope is %v", r.result["cacheScope"])
	}
}

func (w *world) prompt(t *testing.T, name string, args map[string]any) string {
	t.Helper()
	r := w.rpc(t, w.me(), legacy, "prompts/get", map[string]any{"name": name, "arguments": args})
	messages, _ := r.result["messages"].([]any)
	if len(messages) != 1 || at(messages[0], "role") != "user" {
		t.Fatalf("%s answered %s", name, r.raw)
	}
	return fmt.Sprint(at(messages[0], "content", "text"))
}

func TestPreflightNamesTheCallWithItsArguments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.prompt(t, "preflight", map[string]any{
		"task": `Raise the "retry" limit`, "files": "queue/a.go, queue/b.go\n", "area": "Ledger", "tag": "billing", "workspace": "acme",
	})
	want := `driftless_context_retrieve with task: "Raise the \"retry\" limit", files: ["queue/a.go", "queue/b.go"], area: "Ledger", tags: ["billing"], workspace: "acme".`
	if !strings.Contains(got, want) {
		t.Errorf("the prompt says %s", got)
	}
	if alone := w.prompt(t, "preflight", map[string]any{"task": "Anything"}); !strings.Contains(alone, `retrieve with task: "Anything".`) {
		t.Errorf("the prompt says %s", alone)
	}
}

func TestWriteBackAsksForOneNoteAndLeavesTheApprovalToAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.prompt(t, "write_back", map[string]any{"learned": "Retries double at night.", "files": "queue/**"})
	for _, want := range []string{`"Retries double at night."`, `anchors: ["queue/**"]`, "driftless_context_search", "A person makes it Knowledge"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// A prompt that names a tool which is not there would send every model into an error.
func TestPromptsNameToolsThatExist(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := w.prompt(t, "preflight", map[string]any{"task": "x"}) + w.prompt(t, "write_back", map[string]any{"learned": "x"})
	names := regexp.MustCompile(`driftless_\w+`).FindAllString(text, -1)
	if len(names) < 4 {
		t.Errorf("tools named: %v", names)
	}
	for _, name := range names {
		if w.reg.Tool(name) == nil {
			t.Errorf("there is no tool %s", name)
		}
	}
}

func TestAPromptWithoutItsSubjectIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, args := range map[string]map[string]any{"preflight": {"files": "a.go"}, "write_back": {"learned": "  "}, "no_such_prompt": {}} {
		for _, version := range []string{modern, legacy} {
			if r := w.rpc(t, w.me(), version, "prompts/get", map[string]any{"name": name, "arguments": args}); r.code != -32602 {
				t.Errorf("%s at %s: %s", name, version, r.raw)
			}
		}
	}
}
