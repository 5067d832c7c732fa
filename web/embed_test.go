package web

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestAnUnbuiltConsoleAnswersWithThePlaceholderAlone(t *testing.T) {
	t.Parallel()
	all := fstest.MapFS{
		"dist/.gitkeep":    {},
		"placeholder.html": {Data: []byte("not built")},
	}
	if built(all) {
		t.Error("built is true with an empty dist")
	}
	got, err := fs.ReadFile(files(all), "index.html")
	if err != nil || string(got) != "not built" {
		t.Errorf("index.html = %q, %v; want the placeholder", got, err)
	}
	if _, err := fs.ReadFile(files(all), ".gitkeep"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf(".gitkeep: error %v, want not found", err)
	}
}

func TestABuiltConsoleServesDist(t *testing.T) {
	t.Parallel()
	all := fstest.MapFS{
		"dist/.gitkeep":       {},
		"dist/index.html":     {Data: []byte("console")},
		"dist/assets/main.js": {Data: []byte("run")},
		"placeholder.html":    {Data: []byte("not built")},
	}
	if !built(all) {
		t.Error("built is false although dist has an index.html")
	}
	for name, want := range map[string]string{"index.html": "console", "assets/main.js": "run"} {
		got, err := fs.ReadFile(files(all), name)
		if err != nil || string(got) != want {
			t.Errorf("%s = %q, %v; want %q", name, got, err, want)
		}
	}
	if _, err := fs.ReadFile(files(all), "placeholder.html"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("placeholder.html: error %v, want not found", err)
	}
}

func TestThePlaceholderSaysHowToBuild(t *testing.T) {
	t.Parallel()
	page, err := fs.ReadFile(embedded, placeholder)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"make build", "not built"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the placeholder page does not say %q", want)
		}
	}
	// The page is served under a policy without unsafe-inline.
	for _, bad := range []string{"<script", "style=", "<style>"} {
		if strings.Contains(string(page), bad) {
			t.Errorf("the placeholder page contains %q, which the policy blocks", bad)
		}
	}
}

func TestTheIndexPageOfABuiltConsoleCarriesTheNoncePlaceholder(t *testing.T) {
	t.Parallel()
	page, err := fs.ReadFile(Files(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), NoncePlaceholder) {
		t.Errorf("index.html lacks %q", NoncePlaceholder)
	}
}
