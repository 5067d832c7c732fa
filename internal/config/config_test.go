package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"driftless/internal/config"
)

// environ makes the process environment hold only these variables of the product.
func environ(t *testing.T, set map[string]string) {
	t.Helper()
	for _, v := range config.Variables() {
		for _, name := range []string{v.Name, v.Name + "_FILE"} {
			t.Setenv(name, "")
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, value := range set {
		t.Setenv(name, value)
	}
}

func TestTheDefaultsAreUsable(t *testing.T) {
	environ(t, nil)
	c, err := config.FromEnviron()
	if err != nil {
		t.Fatal(err)
	}
	if !c.Loopback() || c.Secure() || c.PublicURL != "http://127.0.0.1:8080" {
		t.Errorf("loopback %v, secure %v, address %q", c.Loopback(), c.Secure(), c.PublicURL)
	}
}

func TestEveryProblemIsNamedOnceWithItsVariable(t *testing.T) {
	environ(t, map[string]string{
		"DRIFTLESS_ADDR": "nowhere", "DRIFTLESS_LIMIT_CALLS": "many", "DRIFTLESS_LIMIT_TOKEN_REQUESTS": "0",
		"DRIFTLESS_ACCESS_TOKEN_TTL": "forever", "DRIFTLESS_LOG": "loud", "DRIFTLESS_LOG_FORMAT": "xml",
		"DRIFTLESS_TRUSTED_PROXIES": "10.0.0.1", "DRIFTLESS_PUBLIC_URL": "ftp://example.com/x", "DRIFTLESS_ADMIN_ADDR": "9",
		"DRIFTLESS_REFRESH_GRACE": "0s", "DRIFTLESS_REFRESH_TOKEN_TTL": "-1h", "DRIFTLESS_SESSION_TTL": "0s", "DRIFTLESS_INDEX_BYTES": "-1",
		"DRIFTLESS_ALLOWED_ORIGINS": "https://fine.example:8443,https://pages.example/",
	})
	_, err := config.FromEnviron()
	if err == nil {
		t.Fatal("fourteen problems were accepted")
	}
	for _, name := range []string{
		"DRIFTLESS_ADDR", "DRIFTLESS_LIMIT_CALLS", "DRIFTLESS_LIMIT_TOKEN_REQUESTS", "DRIFTLESS_ACCESS_TOKEN_TTL", "DRIFTLESS_LOG",
		"DRIFTLESS_LOG_FORMAT", "DRIFTLESS_TRUSTED_PROXIES", "DRIFTLESS_PUBLIC_URL", "DRIFTLESS_ADMIN_ADDR",
		"DRIFTLESS_REFRESH_GRACE", "DRIFTLESS_REFRESH_TOKEN_TTL", "DRIFTLESS_SESSION_TTL", "DRIFTLESS_INDEX_BYTES", "DRIFTLESS_ALLOWED_ORIGINS",
	} {
		if n := strings.Count(err.Error(), "\n  "+name+":"); n != 1 {
			t.Errorf("%s is named %d times in:\n%v", name, n, err)
		}
	}
}

func TestASecretComesFromAFileAndIsNotSaidAloud(t *testing.T) {
	file := filepath.Join(t.TempDir(), "database")
	if err := os.WriteFile(file, []byte("postgres://app:hush@db/driftless\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environ(t, map[string]string{"DRIFTLESS_DATABASE_URL_FILE": file})
	c, err := config.FromEnviron()
	if err != nil || c.DatabaseURL != "postgres://app:hush@db/driftless" {
		t.Fatalf("the address is %q, %v", c.DatabaseURL, err)
	}
	t.Setenv("DRIFTLESS_DATABASE_URL", "postgres://app:other@db/driftless")
	_, err = config.FromEnviron()
	if err == nil || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "other") {
		t.Errorf("both given answered %v", err)
	}
}

func TestAnOriginIsWrittenAsBrowsersSendIt(t *testing.T) {
	for origin, good := range map[string]bool{
		"https://pages.example": true, "http://localhost:3000": true, "vscode-webview://panel": true, "http://[::1]:80": true,
		"https://pages.example/": false, "https://Pages.example": false, "pages.example": false, "*": false, "null": false,
		"https://pages.example/x?y": false, "https://u@pages.example": false, "https://pages .example": false,
	} {
		environ(t, map[string]string{"DRIFTLESS_ALLOWED_ORIGINS": origin})
		if _, err := config.FromEnviron(); (err == nil) != good {
			t.Errorf("%q: %v", origin, err)
		}
	}
}

func TestTheSettingsOfTheMailServerGoTogether(t *testing.T) {
	whole := map[string]string{
		"HOST": "smtp.example.com", "USER": "driftless", "PASSWORD": "hush", "FROM": "Driftless <driftless@example.com>",
	}
	for name, tc := range map[string]struct {
		change map[string]string
		says   string
		port   int
	}{
		"whole":                      {nil, "", 587},
		"from the first byte":        {map[string]string{"TLS": "tls"}, "", 465},
		"another port":               {map[string]string{"PORT": "2525"}, "", 2525},
		"without an account":         {map[string]string{"USER": "", "PASSWORD": ""}, "", 587},
		"open to this machine":       {map[string]string{"TLS": "none", "HOST": "127.0.0.1"}, "", 25},
		"open to this one by name":   {map[string]string{"TLS": "none", "HOST": "localhost"}, "", 25},
		"open to others":             {map[string]string{"TLS": "none"}, "DRIFTLESS_SMTP_TLS", 0},
		"no such TLS":                {map[string]string{"TLS": "ssl"}, "DRIFTLESS_SMTP_TLS", 0},
		"no host":                    {map[string]string{"HOST": ""}, "DRIFTLESS_SMTP_FROM", 0},
		"no sender":                  {map[string]string{"FROM": ""}, "DRIFTLESS_SMTP_FROM", 0},
		"a sender that is none":      {map[string]string{"FROM": "driftless"}, "DRIFTLESS_SMTP_FROM", 0},
		"a sender with another line": {map[string]string{"FROM": "a@example.com>\r\nBcc: <b@example.com"}, "DRIFTLESS_SMTP_FROM", 0},
		"an account alone":           {map[string]string{"PASSWORD": ""}, "DRIFTLESS_SMTP_USER", 0},
		"a port that is none":        {map[string]string{"PORT": "70000"}, "DRIFTLESS_SMTP_PORT", 0},
	} {
		set := map[string]string{}
		for _, of := range []map[string]string{whole, tc.change} {
			for key, value := range of {
				set["DRIFTLESS_SMTP_"+key] = value
			}
		}
		environ(t, set)
		c, err := config.FromEnviron()
		switch {
		case tc.says == "" && (err != nil || c.SMTPPort != tc.port):
			t.Errorf("%s: port %d, %v", name, c.SMTPPort, err)
		case tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says+":") || strings.Contains(err.Error(), "hush")):
			t.Errorf("%s: %v", name, err)
		}
	}
}
