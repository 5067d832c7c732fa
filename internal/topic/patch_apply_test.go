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
		"a text":                   {[]PatchOp{{"set", "/what", "Four times."}}, func(c *Content) { c.What = "Four times." }},
		"an empty text":            {[]PatchOp{{"set", "/how", "By cron."}}, func(c *Content) { c.How = "By cron." }},
		"no text":                  {[]PatchOp{{"remove", "/what", nil}}, func(c *Content) { c.What = "" }},
		"what is empty, taken out": {[]PatchOp{{"remove", "/how", nil}}, func(*Content) {}},
		"behind a list":            {[]PatchOp{{"set", "/gotchas/-", "Three."}}, func(c *Content) { c.Gotchas = []string{"One.", "Two.", "Three."} }},
		"behind a list not there":  {[]PatchOp{{"add", "/decisions/-", "D."}}, func(c *Content) { c.Decisions = []string{"D."} }},
		"an element":               {[]PatchOp{{"set", "/gotchas/0", "First."}}, func(c *Content) { c.Gotchas = []string{"First.", "Two."} }},
		"add inserts":              {[]PatchOp{{"add", "/gotchas/1", "Between."}}, func(c *Content) { c.Gotchas = []string{"One.", "Between.", "Two."} }},
		"add at the end":           {[]PatchOp{{"add", "/gotchas/2", "Last."}}, func(c *Content) { c.Gotchas = []string{"One.", "Two.", "Last."} }},
		"in order":                 {[]PatchOp{{"remove", "/gotchas/0", nil}, {"replace", "/gotchas/0", "Only."}}, func(c *Content) { c.Gotchas = []string{"Only."} }},
		"inside a solution":        {[]PatchOp{{"set", "/solutions/mac/fix/0", "d"}}, func(c *Content) { c.Solutions[1].Fix[0] = "d" }},
		"an environment not there": {[]PatchOp{{"set", "/solutions/mac/env/os", "macos"}}, func(c *Content) { c.Solutions[1].Env.OS = "macos" }},
		"a solution taken out":     {[]PatchOp{{"remove", "/solutions/linux", nil}}, func(c *Content) { c.Solutions = c.Solutions[1:] }},
		"a solution more":          {[]PatchOp{{"set", "/solutions/-", map[string]any{"id": "bsd", "fix": []any{"x"}}}}, func(c *Content) { c.Solutions = append(c.Solutions, evidence.Solution{ID: "bsd", Fix: []string{"x"}}) }},
		"a relation":               {[]PatchOp{{"set", "/relations/0/type", "blocks"}}, func(c *Content) { c.Relations[0].Type = "blocks" }},
		"a list as a whole":        {[]PatchOp{{"set", "/anchors", []any{"a/**"}}}, func(c *Content) { c.Anchors = []string{"a/**"} }},
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
		{PatchOp{"set", "what", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/a~2b", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/status", "reviewed"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/governance/authoritative", true}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/slug", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/what/0", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/gotchas/2", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/gotchas/-1", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/gotchas/00", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"add", "/gotchas/3", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"remove", "/gotchas/9", nil}, fault.CodeInvalidPointer},
		{PatchOp{"remove", "/gotchas/-", nil}, fault.CodeInvalidPointer},
		{PatchOp{"replace", "/gotchas/-", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/solutions/bsd/verify", "x"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/solutions/linux/revision", "9"}, fault.CodeInvalidPointer},
		{PatchOp{"set", "/solutions/0/verify", "x"}, fault.CodeIDAddressing},
		{PatchOp{"remove", "/solutions/0", nil}, fault.CodeIDAddressing},
		{PatchOp{"set", "/what", 7.0}, fault.CodeValidation},
		{PatchOp{"set", "/what", nil}, fault.CodeValidation},
		{PatchOp{"set", "/gotchas", "x"}, fault.CodeValidation},
		{PatchOp{"set", "/gotchas/-", []any{"x"}}, fault.CodeValidation},
		{PatchOp{"set", "/solutions/-", map[string]any{"id": "x", "trust": "high"}}, fault.CodeValidation},
	} {
		if _, err := applyOps(example(), []PatchOp{c.op}); !fault.Is(err, c.code) {
			t.Errorf("%+v: got %v, want %s", c.op, err, c.code)
		}
	}
	_, err := applyOps(example(), []PatchOp{{"set", "/solutions/1/verify", "x"}})
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
				ops = append(ops, PatchOp{"set", "/" + name, value})
			} else {
				ops = append(ops, PatchOp{"remove", "/" + name, nil})
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
