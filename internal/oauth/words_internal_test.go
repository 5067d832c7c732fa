package oauth

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"driftless/internal/egress"
	"driftless/internal/tenant"
)

func TestScopesAreReadInOneOrderWithoutWhatIsForeign(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		known   string
		foreign bool
	}{
		"":                                   {"", false},
		"work:write context:read":            {"context:read work:write", false},
		"context:read  context:read":         {"context:read", false},
		"offline_access":                     {"", false},
		"openid context:diff offline_access": {"context:diff", true},
		"Context:read":                       {"", true},
		"context:read,work:write":            {"", true},
		strings.Repeat("x ", 500) + "topics:write": {"topics:write", true},
	} {
		known, foreign := parseScopes(text)
		if joinScopes(known) != want.known || foreign != want.foreign {
			t.Errorf("%.40q: %v, %v", text, known, foreign)
		}
	}
}

func TestNarrowingNeverWidens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfDistinct(rapid.SampledFrom(tenant.Scopes()), func(s tenant.Scope) tenant.Scope { return s })
		has, asked := scopeWords(some.Draw(t, "has")), joinScopes(some.Draw(t, "asked"))
		got, err := narrowed(asked, has)
		if err == nil && !within(got, has) {
			t.Errorf("%v of %v gave %v", asked, has, got)
		}
		if err != nil && within(strings.Fields(asked), has) {
			t.Errorf("%v of %v: %v", asked, has, err)
		}
	})
}

func TestPKCEShapes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{ // challenge, verifier
		strings.Repeat("a", 43):        {true, true},
		strings.Repeat("-", 42) + "_":  {true, true},
		strings.Repeat("a", 42) + "~":  {false, true},
		strings.Repeat("a", 42) + ".":  {false, true},
		strings.Repeat("a", 42):        {false, false},
		strings.Repeat("a", 128):       {false, true},
		strings.Repeat("a", 129):       {false, false},
		strings.Repeat("a", 42) + "=":  {false, false},
		strings.Repeat("a", 42) + "\n": {false, false},
		strings.Repeat("a", 41) + "ü":  {false, false},
		"":                             {false, false},
	} {
		if got := [2]bool{isChallenge(text), isVerifier(text)}; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestResourceHasAliasesAndNoLookAlikes(t *testing.T) {
	t.Parallel()
	const canonical = "https://Context.example/mcp"
	for text, want := range map[string]bool{
		"https://context.example/mcp":       true,
		"HTTPS://CONTEXT.EXAMPLE/mcp/":      true,
		"https://context.example:443/mcp":   true,
		"https://context.example":           true,
		"https://context.example/":          true,
		"http://context.example/mcp":        false,
		"https://context.example:8443/mcp":  false,
		"https://context.example/mcp/x":     false,
		"https://context.example/MCP":       false,
		"https://context.example/mcp2":      false,
		"https://context.example/m%63p":     false,
		"https://context.example/mcp//":     false,
		"https://context.example/mcp#":      false,
		"https://context.example/mcp?":      false,
		"https://u@context.example/mcp":     false,
		"https://context.example.evil/mcp":  false,
		"https://context.example\\.evil/":   false,
		"//context.example/mcp":             false,
		"/mcp":                              false,
		"":                                  false,
		"https://context.example:99999/mcp": false,
	} {
		if got := isResource(text, canonical); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzParametersAreGivenOnceAndAreText(f *testing.F) {
	for _, seed := range []string{"a=b&c=d", "a=1&a=2", "a=%00", "%zz", "a", "=x", "a=;b", "\xff=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := parseParameters(raw)
		if err != nil {
			return
		}
		for name, values := range got {
			if len(values) != 1 || values[0] == "" || strings.ContainsRune(name+values[0], 0) {
				t.Errorf("%q: %q is %q", raw, name, values)
			}
		}
	})
}

func FuzzRegistrationKeepsOnlyWhatTheDatabaseTakes(f *testing.F) {
	for _, seed := range []string{
		`{"redirect_uris":["https://a.test/"],"token_endpoint_auth_method":"none"}`, `[]`, `{"redirect_uris":[null]}`, `{"client_name":"\u0000"}`,
		`{"redirect_uris":["https://a.test/"],"token_endpoint_auth_method":"none","client_name":"\ud800 x","client_uri":"https://a.test/\u0000"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := decodeMetadata(raw)
		if err != nil {
			return
		}
		row, err := m.row()
		if err != nil {
			return
		}
		if n := len([]rune(row.Name)); n < 1 || n > nameMax || strings.ContainsRune(row.Name+row.URI, 0) {
			t.Errorf("name %q, uri %q", row.Name, row.URI)
		}
		for _, uri := range row.RedirectURIs {
			if checkRedirect(uri) != nil {
				t.Errorf("kept %q", uri)
			}
		}
	})
}

func TestM6AddressesThatADocumentMayBeFetchedFrom(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "1.1.1.1": true,
		"127.0.0.1": false, "::1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "::": false, "224.0.0.1": false, "255.255.255.255": false, "198.18.0.1": false,
		"fe80::1%eth0": false, "fd00::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false,
		"2002:7f00:1::": false, "ff02::1": false, "240.0.0.1": false, "192.0.0.8": false,
	} {
		if got := (egress.Guard{}).Allows(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestM6CopiesOfADocumentLiveAsItsHeadersSay(t *testing.T) {
	t.Parallel()
	const date, week = "Mon, 02 Nov 2026 10:00:00 GMT", 7 * 24 * time.Hour
	for _, c := range []struct {
		header http.Header
		want   caching
	}{
		{http.Header{}, caching{time.Hour, week}},
		{http.Header{"Cache-Control": {"public, max-age=60"}}, caching{time.Minute, week}},
		{http.Header{"Cache-Control": {"max-age=60"}, "Age": {"20"}}, caching{40 * time.Second, week}},
		{http.Header{"Cache-Control": {"max-age=60"}, "Age": {"9999999"}}, caching{0, week}},
		{http.Header{"Cache-Control": {"max-age=99999999999"}}, caching{24 * time.Hour, week}},
		{http.Header{"Cache-Control": {"max-age=9223372036854775808"}}, caching{0, week}},
		{http.Header{"Cache-Control": {"Max-Age=\"30\", must-revalidate"}}, caching{30 * time.Second, 0}},
		{http.Header{"Cache-Control": {"max-age=-1"}}, caching{0, week}},
		{http.Header{"Cache-Control": {"max-age=60, no-store"}}, caching{}},
		{http.Header{"Cache-Control": {"max-age=60", "no-cache"}}, caching{}},
		{http.Header{"Cache-Control": {"public"}, "Date": {date}, "Expires": {"Mon, 02 Nov 2026 10:05:00 GMT"}}, caching{5 * time.Minute, week}},
		{http.Header{"Cache-Control": {"max-age=60"}, "Date": {date}, "Expires": {date}}, caching{time.Minute, week}},
		{http.Header{"Date": {date}, "Expires": {"Mon, 02 Nov 2026 09:00:00 GMT"}}, caching{0, week}},
		{http.Header{"Expires": {"0"}}, caching{0, week}},
	} {
		if got := cachingOf(c.header); got != c.want {
			t.Errorf("%v: %v, want %v", c.header, got, c.want)
		}
	}
}

func TestFateOfARefreshToken(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	good := foundToken{Token: tokenRow{Kind: kindRefresh, ExpiresAt: now.Add(time.Hour)}, Family: family{ClientID: "c"}}
	for name, c := range map[string]struct {
		change func(*foundToken)
		want   refreshFate
	}{
		"the first use":             {func(*foundToken) {}, fateRotated},
		"the end of the grace":      {func(f *foundToken) { f.Token.RotatedAt = ago(time.Minute) }, fateRepeated},
		"after the grace":           {func(f *foundToken) { f.Token.RotatedAt = ago(time.Minute + 1) }, fateReused},
		"long after its expiry":     {func(f *foundToken) { f.Token.RotatedAt, f.Token.ExpiresAt = ago(time.Hour), now }, fateReused},
		"expired, never used":       {func(f *foundToken) { f.Token.ExpiresAt = now }, fateRefused},
		"another client":            {func(f *foundToken) { f.Family.ClientID = "d"; f.Token.RotatedAt = ago(time.Hour) }, fateRefused},
		"an access token":           {func(f *foundToken) { f.Token.Kind = kindAccess }, fateRefused},
		"a revoked token":           {func(f *foundToken) { f.Token.RevokedAt = &now }, fateRefused},
		"a grant that has ended":    {func(f *foundToken) { f.Family.GrantRevokedAt = &now; f.Token.RotatedAt = ago(time.Hour) }, fateRefused},
		"a person who was disabled": {func(f *foundToken) { f.Family.DisabledAt = &now }, fateRefused},
	} {
		token := good
		c.change(&token)
		if got := judgeRefresh(token, "c", now, time.Minute); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
