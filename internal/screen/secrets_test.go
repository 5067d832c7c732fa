package screen_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/screen"
)

// join keeps credentials out of this file as it is written, so that scanners of
// source text have nothing to stop at.
func join(parts ...string) string { return strings.Join(parts, "") }

func TestSecretsFindsCredentials(t *testing.T) {
	t.Parallel()
	pem := join("-----BEGIN ", "EC PRIVATE KEY-----\n", strings.Repeat("MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtL\n", 3), "-----END EC PRIVATE KEY-----")
	tests := map[string]struct{ before, secret, after, kind string }{
		"aws key":               {"use ", join("AK", "IAQ3EGRT5ZKP2WVN7B"), " here", "aws-access-key"},
		"aws documentation key": {"", join("AK", "IAIOSFODNN7", "EXAMPLE"), ".", "aws-access-key"},
		"aws secret":            {"aws_secret_access_key = ", join("q8Zt/Lw2Vx", "0Rb+7YcN4kPs9mHd1JfGeTuA3oXiS"), "\n", "assignment"},
		"github":                {"token: ", join("gh", "p_", "Zq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3oXi5"), "\n", "github-token"},
		"github fine grained":   {"`", join("github", "_pat_11ABCDE0Y0zq8WmT3yLx0R_bV7cN4kPs9HdJfGeTuA3oXi5"), "`", "github-token"},
		"gitlab":                {"", join("gl", "pat-Zq8WmT3yLx0RbV7cN4kP"), "", "gitlab-token"},
		"slack":                 {"'", join("xo", "xb-118273645500-998877665544-Zq8WmT3yLx0RbV7cN4kPs9Hd"), "'", "slack-token"},
		"stripe":                {"", join("sk", "_live_", "Zq8WmT3yLx0RbV7cN4kPs9Hd"), "", "stripe-key"},
		"npm":                   {"//r/:_authToken=", join("np", "m_", "Zq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3oXi5"), "", "npm-token"},
		"openai":                {"key ", join("sk", "-proj-Zq8WmT3yLx0RbV7c_N4kPs9HdJfGeTuA3oXi5Zq8WmT"), "", "openai-key"},
		"anthropic":             {"key ", join("sk", "-ant-api03-Zq8WmT3yLx0RbV7c_N4kPs9HdJfGeTuA3oXi5"), "", "anthropic-key"},
		"google":                {"key ", join("AI", "zaSyZq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3o"), "", "google-api-key"},
		"own key":               {"Bearer ", join("dl", "_Zq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3"), "", "driftless-key"},
		"jwt":                   {"", join("ey", "JhbGciOiJFUzI1NiJ9.", "ey", "JzdWIiOiJ0ZXN0ZXItOSJ9.Zq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3"), "\n", "jwt"},
		"private key":           {"key:\n", pem, "\nend", "private-key"},
		"private key cut off":   {"", pem[:100], "", "private-key"},
		"password in a url":     {"postgres://svc:", "k9Vw2-xQz", "@db.internal/app", "url-password"},
		"bearer":                {"Authorization: Bearer ", join("Zq8WmT3yLx0RbV7c", "N4kPs9HdJfGeTuA3"), "\n", "authorization"},
		"quoted password":       {`password = "`, "Tr0ub4dor&3", `"`, "assignment"},
		"json member":           {`{"client_secret": "`, "Zq8WmT3yLx0RbV7cN4kP", `"}`, "assignment"},
		"hexadecimal token":     {"auth_token: ", "9f86d081884c7d659a2feaa0c55ad015", "", "assignment"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := screen.Secrets(tt.before + tt.secret + tt.after)
			if len(got) != 1 {
				t.Fatalf("found %+v, want one", got)
			}
			want := screen.Secret{Kind: tt.kind, Start: len(tt.before), End: len(tt.before) + len(tt.secret), Masked: got[0].Masked}
			if diff := cmp.Diff(want, got[0]); diff != "" {
				t.Error(diff)
			}
			if hidden := strings.TrimSuffix(got[0].Masked, "…"); len(hidden) > 4 || !strings.HasPrefix(tt.secret, hidden) {
				t.Errorf("mask %q shows too much", got[0].Masked)
			}
		})
	}
}

func TestSecretsLeavesLookAlikes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"commit":            "fixed in 8f4e1c0b7a6d5e9f3c2b1a0d4e8f7c6b5a493827",
		"digest":            "image: repo/app@sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
		"uuid":              "client_secret: 1f0c8c52-6f0e-7b38-9f6a-0242ac120002",
		"integrity":         `"integrity": "sha512-Zq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3oXi5Zq8WmT3yLx0RbV7cN4kPs9Hd=="`,
		"placeholder":       "API_KEY=<your-api-key> TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"asterisks":         `password: "****************"`,
		"environment":       `token = os.Getenv("GITHUB_TOKEN_FOR_RELEASES_2")`,
		"template":          "token: ${{ secrets.DEPLOY_TOKEN_V2 }} password: {{ .Values.dbPassword1 }}",
		"public key":        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZq8WmT3yLx0R\n-----END PUBLIC KEY-----",
		"words about keys":  "-----BEGIN PRIVATE KEY-----\n(left out)\n-----END PRIVATE KEY-----",
		"data uri":          "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAZq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3oXi5",
		"identifier":        "secret: billing-worker-database-credentials",
		"local database":    "postgres://postgres:postgres@localhost:5432/app",
		"url template":      "https://user:$PASSWORD@host/ and https://{user}:{password}@host/",
		"prose":             "The password: at least twelve characters. Token: short lived.",
		"path":              "private_key: /etc/ssl/private/server1.Key.pem",
		"example password":  "Password: WrongPassword123",
		"inside a long run": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVpBS0lBUTNFR1JUNVpLUDJXVk43Qg==",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := screen.Secrets(text); len(got) != 0 {
				t.Errorf("found %+v (%s)", got, text[got[0].Start:got[0].End])
			}
		})
	}
}

func FuzzSecretsSpansAreInRangeDisjointAndMasked(f *testing.F) {
	f.Add("token: " + join("gh", "p_", "Zq8WmT3yLx0RbV7cN4kPs9HdJfGeTuA3oXi5"))
	f.Add(`password="Tr0ub4dor&3" a://b:c9Vw2xQz@d`)
	f.Add("-----BEGIN PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2\n-----END ")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range screen.Secrets(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %+v after %d in %d bytes", s, end, len(text))
			}
			end = s.End
			secret := text[s.Start:s.End]
			if shown := strings.TrimSuffix(s.Masked, "…"); len([]rune(shown)) > 4 || len(secret) > 20 && strings.Contains(s.Masked, secret[len(secret)-20:]) {
				t.Fatalf("mask %q of %q", s.Masked, secret)
			}
		}
	})
}
