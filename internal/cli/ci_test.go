package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"driftless/internal/cli"
)

// texts are all texts of a YAML document.
func texts(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var out []string
	for _, c := range n.Content {
		out = append(out, texts(c)...)
	}
	return out
}

var redirected = regexp.MustCompile(`\s*([<>|#]|&&|\|\|).*$`)

// commands are the lines of a script that call the program, without what the shell does with them.
func commands(script string) [][]string {
	var out [][]string
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "driftless ") {
			out = append(out, strings.Fields(strings.ReplaceAll(redirected.ReplaceAllString(line, ""), "'", ""))[1:])
		}
	}
	return out
}

// runs refuses a command line that the program would refuse before it does anything.
func runs(t *testing.T, where string, args []string) {
	t.Helper()
	cmd, rest, err := cli.Root(cli.Options{In: strings.NewReader("x")}).Find(args)
	if err != nil || !cmd.Runnable() || cmd.HasSubCommands() {
		t.Errorf("%s: there is no command %q", where, strings.Join(args, " "))
		return
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %q: %v", where, strings.Join(args, " "), err)
		return
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%s: %q: %v", where, strings.Join(args, " "), err)
	}
}

func TestTheExamplesForBuildsParseAndNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../deploy/ci/*.yml")
	if err != nil || len(files) < 3 {
		t.Fatalf("there are %d examples: %v", len(files), err)
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(raw, &doc); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var all [][]string
		for _, text := range texts(&doc) {
			all = append(all, commands(text)...)
		}
		for _, want := range []string{"sync", "context"} {
			if !slices.ContainsFunc(all, func(args []string) bool { return args[0] == want }) {
				t.Errorf("%s does not call driftless %s", path, want)
			}
		}
		for _, args := range all {
			runs(t, path, args)
		}
	}
}

var shell = regexp.MustCompile("(?s)```sh\n(.*?)```")

func TestTheCommandsOfTheManualAboutRepositoriesExist(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../../docs/ci.md", "../../docs/drift.md"} {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, block := range shell.FindAllStringSubmatch(string(raw), -1) {
			for _, args := range commands(block[1]) {
				found++
				runs(t, path, args)
			}
		}
		if found == 0 {
			t.Errorf("%s shows no command", path)
		}
	}
}
