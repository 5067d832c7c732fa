package topic

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/relation"
)

func example() Content {
	return Content{
		Title: "Retries", What: "Thrice.", Gotchas: []string{"One.", "Two."},
		Relations: []relation.Edge{{To: "queue", Type: "depends_on"}},
		Solutions: []evidence.Solution{{ID: "linux", Fix: []string{"a", "b"}, Verify: "true"}, {ID: "mac", Fix: []string{"c"}}},
	}
}

func TestEveryFieldOfAContentHasItsPlaceInAPatch(t *testing.T) {
	t.Parallel()
	full := Content{
		Title: "t", What: "w", How: "h", Text: "c", Decisions: []string{"d"}, Gotchas: []string{"g"}, Invariants: []string{"i"},
		RequiredChecks: []string{"r"}, Anchors: []string{"a"}, Relations: []relation.Edge{{To: "x", Type: "blocks"}},
		Solutions: []evidence.Solution{{
			ID: "s", Env: evidence.Environment{OS: "linux", Runtime: "go-1.26", PkgManager: "apt", Labels: []string{"l"}},
			Fix: []string{"f"}, Verify: "v", Boundaries: []string{"b"},
		}},
		Alternatives: []evidence.Solution{{ID: "a", Fix: []string{"f"}}}, Sources: []string{"s"}, Owners: []string{"o"}, Area: "a",
		Tags: []string{"t"}, ReviewBy: "2027-01-31",
	}
	form, values := writable(), tree(full)
	if err := form.fits(values); err != nil {
		t.Errorf("a full content does not fit: %v", err)
	}
	for name := range form.fields {
		if values[name] == nil {
			t.Errorf("a patch may change %s, which no content has", name)
		}
	}
}

func TestAPatchSetsRemovesAddsAndReplaces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ops  []PatchOp
		want func(*Content)
	}{
		"a text":                   {[]PatchOp{{Op: "set", Path: "/what", Value: "Four times."}}, func(c *Content) { c.What = "Four times." }},
		"an empty text":            {[]PatchOp{{Op: "set", Path: "/how", Value: "By cron."}}, func(c *Content) { c.How = "By cron." }},
		"no text":                  {[]PatchOp{{Op: "remove", Path: "/what", Value: nil}}, func(c *Content) { c.What = "" }},
		"what is empty, taken out": {[]PatchOp{{Op: "remove", Path: "/how", Value: nil}}, func(*Content) {}},
		"behind a list":            {[]PatchOp{{Op: "set", Path: "/gotchas/-", Value: "Three."}}, func(c *Content) { c.Gotchas = []string{"One.", "Two.", "Three."} }},
		"behind a list not there":  {[]PatchOp{{Op: "add", Path: "/decisions/-", Value: "D."}}, func(c *Content) { c.Decisions = []string{"D."} }},
		"an element":               {[]PatchOp{{Op: "set", Path: "/gotchas/0", Value: "First."}}, func(c *Content) { c.Gotchas = []string{"First.", "Two."} }},
		"add inserts":              {[]PatchOp{{Op: "add", Path: "/gotchas/1", Value: "Between."}}, func(c *Content) { c.Gotchas = []string{"One.", "Between.", "Two."} }},
		"add at the end":           {[]PatchOp{{Op: "add", Path: "/gotchas/2", Value: "Last."}}, func(c *Content) { c.Gotchas = []string{"One.", "Two.", "Last."} }},
		"in order":                 {[]PatchOp{{Op: "remove", Path: "/gotchas/0", Value: nil}, {Op: "replace", Path: "/gotchas/0", Value: "Only."}}, func(c *Content) { c.Gotchas = []string{"Only."} }},
		"inside a solution":        {[]PatchOp{{Op: "set", Path: "/solutions/mac/fix/0", Value: "d"}}, func(c *Content) { c.Solutions[1].Fix[0] = "d" }},
		"an environment not there": {[]PatchOp{{Op: "set", Path: "/solutions/mac/env/os", Value: "macos"}}, func(c *Content) { c.Solutions[1].Env.OS = "macos" }},
		"a solution taken out":     {[]PatchOp{{Op: "remove", Path: "/solutions/linux", Value: nil}}, func(c *Content) { c.Solutions = c.Solutions[1:] }},
		"a solution more":          {[]PatchOp{{Op: "set", Path: "/solutions/-", Value: map[string]any{"id": "bsd", "fix": []any{"x"}}}}, func(c *Content) { c.Solutions = append(c.Solutions, evidence.Solution{ID: "bsd", Fix: []string{"x"}}) }},
		"a relation":               {[]PatchOp{{Op: "set", Path: "/relations/0/type", Value: "blocks"}}, func(c *Content) { c.Relations[0].Type = "blocks" }},
		"a list as a whole":        {[]PatchOp{{Op: "set", Path: "/anchors", Value: []any{"a/**"}}}, func(c *Content) { c.Anchors = []string{"a/**"} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := example()
			c.want(&want)
			got, err := applyOps(example(), c.ops)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tree(want), tree(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPatchRefusesWhatIsNoPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		op   PatchOp
		code fault.Code
	}{
		{PatchOp{Op: "set", Path: "what", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/a~2b", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/status", Value: "reviewed"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/governance/authoritative", Value: true}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/slug", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/what/0", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/gotchas/2", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/gotchas/-1", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/gotchas/00", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "add", Path: "/gotchas/3", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "remove", Path: "/gotchas/9", Value: nil}, fault.CodeInvalidPointer},
		{PatchOp{Op: "remove", Path: "/gotchas/-", Value: nil}, fault.CodeInvalidPointer},
		{PatchOp{Op: "replace", Path: "/gotchas/-", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/solutions/bsd/verify", Value: "x"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/solutions/linux/revision", Value: "9"}, fault.CodeInvalidPointer},
		{PatchOp{Op: "set", Path: "/solutions/0/verify", Value: "x"}, fault.CodeIDAddressing},
		{PatchOp{Op: "remove", Path: "/solutions/0", Value: nil}, fault.CodeIDAddressing},
		{PatchOp{Op: "set", Path: "/what", Value: 7.0}, fault.CodeValidation},
		{PatchOp{Op: "set", Path: "/what", Value: nil}, fault.CodeValidation},
		{PatchOp{Op: "set", Path: "/gotchas", Value: "x"}, fault.CodeValidation},
		{PatchOp{Op: "set", Path: "/gotchas/-", Value: []any{"x"}}, fault.CodeValidation},
		{PatchOp{Op: "set", Path: "/solutions/-", Value: map[string]any{"id": "x", "trust": "high"}}, fault.CodeValidation},
	} {
		if _, err := applyOps(example(), []PatchOp{c.op}); !fault.Is(err, c.code) {
			t.Errorf("%+v: got %v, want %s", c.op, err, c.code)
		}
	}
	_, err := applyOps(example(), []PatchOp{{Op: "set", Path: "/solutions/1/verify", Value: "x"}})
	if diff := cmp.Diff([]string{"linux", "mac"}, fault.From(err).Allowed); diff != "" {
		t.Errorf("the refusal of an index names other ids: %s", diff)
	}
}

func contents() *rapid.Generator[Content] {
	words := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z~/ ]{1,6}`), 0, 4, rapid.ID[string])
	return rapid.Custom(func(t *rapid.T) Content {
		c := Content{
			Title: rapid.StringMatching(`[A-Z][a-z]{1,8}`).Draw(t, "title"), What: rapid.StringMatching(`[a-z ]{0,8}`).Draw(t, "what"),
			Gotchas: words.Draw(t, "gotchas"), Anchors: words.Draw(t, "anchors"),
		}
		for _, id := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z/~]{1,3}`), 0, 3, rapid.ID[string]).Draw(t, "ids") {
			c.Solutions = append(c.Solutions, evidence.Solution{ID: id, Fix: words.Draw(t, "fix"), Verify: rapid.StringMatching(`[a-z]{0,4}`).Draw(t, "verify")})
		}
		return c
	})
}

func TestSettingEachFieldOfAnotherContentMakesIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from, to := contents().Draw(t, "from"), contents().Draw(t, "to")
		before := tree(from)
		var ops []PatchOp
		for name := range writable().fields {
			if value := tree(to)[name]; value != nil {
				ops = append(ops, PatchOp{Op: "set", Path: "/" + name, Value: value})
			} else {
				ops = append(ops, PatchOp{Op: "remove", Path: "/" + name, Value: nil})
			}
		}
		got, err := applyOps(from, ops)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tree(to), tree(got)); diff != "" {
			t.Errorf("another content came of it: %s", diff)
		}
		if diff := cmp.Diff(before, tree(from)); diff != "" {
			t.Errorf("the content it began with has changed: %s", diff)
		}
	})
}

// Whatever is sent, it is taken as a whole or refused with a reason; what comes of it is a content and nothing more.
func FuzzApplyOps(f *testing.F) {
	for _, seed := range []string{
		`[{"op":"set","path":"/what","value":"x"}]`, `[{"op":"add","path":"/gotchas/1","value":"x"},{"op":"remove","path":"/solutions/mac"}]`,
		`[{"op":"set","path":"/solutions/~1~0/env/labels/-","value":"x"}]`, `[{"op":"set","path":"/status","value":{"a":[1]}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var ops []PatchOp
		if json.Unmarshal(raw, &ops) != nil {
			return
		}
		got, err := applyOps(example(), ops)
		if err != nil {
			if e := fault.From(err); e.Kind != fault.Invalid {
				t.Fatalf("%s: %v", raw, e.Unwrap())
			}
			return
		}
		if err := writable().fits(tree(got)); err != nil {
			t.Errorf("%s made what is no content: %v", raw, err)
		}
	})
}

func TestAPatchTestsMovesAndCopiesAsTheStandardSays(t *testing.T) {
	t.Parallel()
	from := Content{Title: "T", What: "w", Gotchas: []string{"a", "b"}}
	for name, tc := range map[string]struct {
		ops  []PatchOp
		want Content
		code fault.Code
	}{
		"a test that holds":      {[]PatchOp{{Op: opTest, Path: "/what", Value: "w"}, {Op: opReplace, Path: "/what", Value: "x"}}, Content{Title: "T", What: "x", Gotchas: []string{"a", "b"}}, ""},
		"a test that fails":      {[]PatchOp{{Op: opReplace, Path: "/what", Value: "x"}, {Op: opTest, Path: "/what", Value: "w"}}, Content{}, fault.CodeVersionConflict},
		"a test of nothing":      {[]PatchOp{{Op: opTest, Path: "/how", Value: ""}, {Op: opTest, Path: "/decisions", Value: []any{}}}, from, ""},
		"a test of a list":       {[]PatchOp{{Op: opTest, Path: "/gotchas", Value: []any{"a", "b"}}}, from, ""},
		"a test beyond a list":   {[]PatchOp{{Op: opTest, Path: "/gotchas/2", Value: "c"}}, Content{}, fault.CodeInvalidPointer},
		"moved to another list":  {[]PatchOp{{Op: opMove, From: "/gotchas/0", Path: "/decisions/-"}}, Content{Title: "T", What: "w", Gotchas: []string{"b"}, Decisions: []string{"a"}}, ""},
		"moved within its list":  {[]PatchOp{{Op: opMove, From: "/gotchas/0", Path: "/gotchas/1"}}, Content{Title: "T", What: "w", Gotchas: []string{"b", "a"}}, ""},
		"a text moved":           {[]PatchOp{{Op: opMove, From: "/what", Path: "/how"}}, Content{Title: "T", How: "w", Gotchas: []string{"a", "b"}}, ""},
		"copied":                 {[]PatchOp{{Op: opCopy, From: "/gotchas", Path: "/decisions"}}, Content{Title: "T", What: "w", Gotchas: []string{"a", "b"}, Decisions: []string{"a", "b"}}, ""},
		"moved into itself":      {[]PatchOp{{Op: opMove, From: "/gotchas", Path: "/gotchas/0"}}, Content{}, fault.CodeInvalidPointer},
		"a list moved to a text": {[]PatchOp{{Op: opCopy, From: "/gotchas", Path: "/what"}}, Content{}, fault.CodeValidation},
		"from where nothing is":  {[]PatchOp{{Op: opCopy, From: "/status", Path: "/what"}}, Content{}, fault.CodeInvalidPointer},
		"from nowhere":           {[]PatchOp{{Op: opMove, Path: "/what"}}, Content{}, fault.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := applyOps(from, tc.ops)
			if tc.code != "" {
				if !fault.Is(err, tc.code) {
					t.Errorf("answered %+v, %v; want %s", got, err, tc.code)
				}
				return
			}
			if err != nil || len(Diff(tc.want, got)) > 0 {
				t.Errorf("differs by %v, %v", Diff(tc.want, got), err)
			}
		})
	}
}
