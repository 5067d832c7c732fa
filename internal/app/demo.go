package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"driftless/internal/tenant"
)

// DemoWorkspace is the slug of the workspace that --demo makes.
const DemoWorkspace = "driftless"

// DemoPerson is a sign-in of the demo workspace.
type DemoPerson struct {
	Role     tenant.Role
	Email    string
	Password string
}

// DemoAccess is what --demo prints.
type DemoAccess struct {
	URL    string
	People []DemoPerson
}

// String is the text for the terminal: the sign-ins, and the lines to paste into clients.
func (d DemoAccess) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nDemo workspace %q. Sign in at %s\n", DemoWorkspace, d.URL)
	for _, p := range d.People {
		fmt.Fprintf(&b, "  %-7s %-24s password %s\n", p.Role, p.Email, p.Password)
	}
	fmt.Fprintf(&b, "\nReview queue:  %s/w/%s/review\n", d.URL, DemoWorkspace)
	fmt.Fprintf(&b, "Claude Code:   claude mcp add --transport http driftless %s/mcp\n", d.URL)
	fmt.Fprintf(&b, "Codex:         codex mcp add driftless --url %s/mcp\n", d.URL)
	return b.String()
}

// Demo makes sure that the demo workspace exists with its people and content. The passwords are random, made once and kept in
// the data folder, readable by its owner alone, so that a second start prints the same ones.
func Demo(ctx context.Context, a *App) (DemoAccess, error) {
	d := DemoAccess{URL: a.Config.PublicURL}
	people := map[tenant.Role]tenant.Caller{}
	for _, role := range []tenant.Role{tenant.Owner, tenant.Admin, tenant.Member} {
		password, err := demoPassword(a.Config.DataDir, role)
		if err != nil {
			return d, err
		}
		p := DemoPerson{Role: role, Email: string(role) + "@demo.example", Password: password}
		if people[role], err = a.Accounts.Seat(ctx, p.Email, p.Password, DemoWorkspace, role); err != nil {
			return d, err
		}
		d.People = append(d.People, p)
	}
	return d, fillDemo(ctx, a, people)
}

func demoPassword(folder string, role tenant.Role) (string, error) {
	path := filepath.Join(folder, "demo-"+string(role)+".password")
	if raw, err := os.ReadFile(path); err == nil && len(raw) >= 12 {
		return string(raw), nil
	}
	raw := make([]byte, 9)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("read randomness: %w", err)
	}
	password := base64.RawURLEncoding.EncodeToString(raw)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("make the data folder: %w", err)
	}
	if err := os.WriteFile(path, []byte(password), 0o600); err != nil {
		return "", fmt.Errorf("keep a demo password: %w", err)
	}
	return password, nil
}
