package evidence_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"driftless/internal/evidence"
	"driftless/internal/fault"
)

// A letter is a person; upper case solved it, lower case failed; reports follow one another.
func reports(text string) []evidence.Report {
	var out []evidence.Report
	for i, c := range text {
		r := evidence.Report{Person: uuid.NewSHA1(uuid.Nil, []byte{byte(c | 32)}), Outcome: evidence.Failed, At: time.Unix(int64(i), 0)}
		if c < 'a' {
			r.Outcome = evidence.Solved
		}
		out = append(out, r)
	}
	return out
}

func TestReportsMakeAState(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]evidence.State{
		"": evidence.Unverified, "A": evidence.Verified, "AB": evidence.Verified,
		"a": evidence.Unconfirmed, "aaa": evidence.Unconfirmed, "ab": evidence.KnownFailed, "abc": evidence.KnownFailed,
		"Ab": evidence.Disputed, "aB": evidence.Disputed, "abC": evidence.Disputed, "ABcd": evidence.Disputed,
		"abCD": evidence.Cleared, "aBC": evidence.Cleared, "abcDE": evidence.Disputed, "abcDEF": evidence.Cleared,
		// Who reports again is counted by the last report.
		"aA": evidence.Verified, "abAB": evidence.Verified, "Aa": evidence.Unconfirmed, "abCDc": evidence.Disputed,
	} {
		if got := evidence.Judge(reports(text), evidence.Environment{}, nil); got.State != want {
			t.Errorf("%q is %s, want %s", text, got.State, want)
		}
	}
}

func TestAnOwnersWordCountsUntilSomebodyReportsAgain(t *testing.T) {
	t.Parallel()
	all := reports("abAc")
	after := all[1].At
	for n, want := range map[int]evidence.State{2: evidence.Cleared, 3: evidence.Cleared, 4: evidence.Disputed} {
		got := evidence.Judge(all[:n], evidence.Environment{}, &after)
		if n == 3 && got.Solved != 1 {
			t.Errorf("the success after it does not count: %+v", got)
		}
		if got.State != want {
			t.Errorf("after %d reports: %s, want %s", n, got.State, want)
		}
	}
}

func TestStepsAreWithheldOnlyWhenTwoPeopleFailedAndNobodySucceeded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-dA-D]{0,12}`).Draw(t, "reports")
		last := map[byte]byte{}
		for i := range len(text) {
			last[text[i]|32] = text[i]
		}
		failed, solved := 0, 0
		for _, c := range last {
			if c >= 'a' {
				failed++
			} else {
				solved++
			}
		}
		got := evidence.Judge(reports(text), evidence.Environment{}, nil)
		if got.Failed != failed || got.Solved != solved {
			t.Fatalf("%q counts %+v, want %d solved and %d failed", text, got, solved, failed)
		}
		if (got.State == evidence.KnownFailed) != (failed >= 2 && solved == 0) {
			t.Fatalf("%q is %s with %d failed and %d solved", text, got.State, failed, solved)
		}
	})
}

func TestEnvironmentsMeetWhereNoPartDiffers(t *testing.T) {
	t.Parallel()
	env := func(os, runtime string) evidence.Environment { return evidence.Environment{OS: os, Runtime: runtime} }
	for _, c := range []struct {
		a, b evidence.Environment
		meet bool
	}{
		{env("linux", "python-3.12"), env("Linux", " Python-3.12.4 "), true},
		{env("linux", "python-3.12"), env("linux", "python-3.13"), false},
		{env("linux", "python-3.1"), env("linux", "python-3.12"), false},
		{env("linux", "python-3"), env("linux", "python-3.12"), true},
		{env("linux", "python"), env("linux", "python-3.12"), true},
		{env("linux", "pyth"), env("linux", "python-3.12"), false},
		{env("linux", "go1.26"), env("linux", "go1.26.3"), true},
		{env("linux", "node-20"), env("macos", "node-20"), false},
		{env("", ""), env("windows", "dotnet-8.0"), true},
		{env("linux", ""), env("", "python-3.12"), true},
	} {
		if c.a.Meets(c.b) != c.meet || c.b.Meets(c.a) != c.meet {
			t.Errorf("%v and %v: meet should be %v", c.a, c.b, c.meet)
		}
	}
}

func TestASecondAnswerForTheSamePlaceIsRefused(t *testing.T) {
	t.Parallel()
	one := evidence.Solution{ID: "a", Env: evidence.Environment{OS: "linux", Runtime: "python-3.12"}}
	for os, refused := range map[string]bool{"LINUX": true, "macos": false, "": false} {
		two := evidence.Solution{ID: "b", Env: evidence.Environment{OS: os, Runtime: "python-3.12.1"}}
		if err := evidence.NoTwoAnswers([]evidence.Solution{one, two}); fault.Is(err, fault.CodeOverlappingAnswer) != refused {
			t.Errorf("beside linux, %q answers %v", os, err)
		}
	}
}

func TestTheMostSpecificAnswerComesFirstAndLabelsRank(t *testing.T) {
	t.Parallel()
	all := []evidence.Solution{
		{ID: "any"},
		{ID: "labelled", Env: evidence.Environment{Labels: []string{"CI"}}},
		{ID: "linux", Env: evidence.Environment{OS: "linux"}},
		{ID: "exact", Env: evidence.Environment{OS: "linux", Runtime: "go-1.26"}},
		{ID: "mac", Env: evidence.Environment{OS: "macos"}},
	}
	var got []string
	for _, s := range evidence.Applicable(all, evidence.Environment{OS: "linux", Runtime: "go-1.26.1", Labels: []string{"ci"}}) {
		got = append(got, s.ID)
	}
	if want := "[exact linux labelled any]"; len(got) != 4 || want != "["+got[0]+" "+got[1]+" "+got[2]+" "+got[3]+"]" {
		t.Errorf("the order is %v, want %s", got, want)
	}
}
