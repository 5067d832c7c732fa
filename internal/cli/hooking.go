package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

const (
	// hookTimeout is how long an editor waits for what is known, at most.
	hookTimeout = 1500 * time.Millisecond
	// hookInputMax is how much of what an agent says is read, in bytes: it holds the whole text that is to be written.
	hookInputMax = 16 << 20
	// hookTopics is how many topics are told about one file.
	hookTopics = 10
	// sessionsKept is how long it is remembered what a session was told.
	sessionsKept = 48 * time.Hour
)

// hookIn is what Claude Code says before it uses a tool, as far as it matters here.
type hookIn struct {
	Session string `json:"session_id"`
	Dir     string `json:"cwd"`
	Event   string `json:"hook_event_name"`
	Input   struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
	} `json:"tool_input"`
}

// hookOut is what Claude Code takes as something to know beside the use of a tool. It says nothing about permission: that stays with
// the person and the agent.
type hookOut struct {
	Specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

func (c *client) hookCommand() *cobra.Command {
	why := false
	cmd := &cobra.Command{
		Use: "pre-edit", Short: "What is known about the file that an agent is going to edit",
		Long: "Claude Code calls it before it edits a file, where 'driftless install --pre-edit-hook' was run. Reads what the agent says on standard\n" +
			"input and answers reviewed Knowledge about the file, once for each topic and session. It is silent, with status 0, when there is\n" +
			"none and whenever something goes wrong.",
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), hookTimeout)
			defer cancel()
			if err := c.preEdit(ctx); err != nil && why {
				c.say("silent: %s", printable(err.Error()))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&why, "why", false, "say on standard error why nothing was answered")
	return cmd
}

// errNothing is why a hook is silent when nothing went wrong.
var errNothing = errors.New("there is no reviewed Knowledge about this file that the session was not told yet")

func (c *client) preEdit(ctx context.Context) error {
	var in hookIn
	if err := json.NewDecoder(io.LimitReader(c.In, hookInputMax)).Decode(&in); err != nil {
		return fmt.Errorf("read what the agent says: %w", err)
	}
	if in.Event != "" && in.Event != "PreToolUse" {
		return fmt.Errorf("the event %q is none of these", in.Event)
	}
	file := in.Input.File
	if file == "" {
		file = in.Input.Notebook
	}
	if file == "" {
		return errors.New("the agent names no file")
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(in.Dir, file)
	}
	path, err := withinRepository(file)
	if err != nil {
		return err
	}
	raw, err := c.call(ctx, http.MethodPost, "/api/v1/workspaces/{workspace}/files", map[string]any{"files": []string{path}, "view": "brief", "limit": hookTopics})
	if err != nil {
		return err
	}
	var page struct {
		Results []known `json:"results"`
	}
	if err := json.Unmarshal(raw, &page); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	s := openSession(in.Session)
	told := slices.DeleteFunc(page.Results, func(t known) bool { return t.Trust != "reviewed" || s.knows(t) })
	text, told := briefing(path, told)
	if text == "" {
		return errNothing
	}
	var out hookOut
	out.Specific.Event, out.Specific.Context = "PreToolUse", text
	if err := json.NewEncoder(c.Out).Encode(out); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return s.keep(told)
}

// withinRepository is the path of a file from the root of the repository that it lies in.
func withinRepository(file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find the file: %w", err)
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			path, err := filepath.Rel(dir, file)
			return filepath.ToSlash(path), err
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("the file is in no repository")
		}
	}
}

// toldSession is what an agent was told since it began, so that it is not told the same before each edit. Without a name nothing is
// remembered.
type toldSession struct {
	file string
	told []string
}

func openSession(name string) toldSession {
	folder, err := os.UserCacheDir()
	if name == "" || err != nil {
		return toldSession{}
	}
	sum := sha256.Sum256([]byte(name))
	s := toldSession{file: filepath.Join(folder, "driftless", "sessions", hex.EncodeToString(sum[:12]))}
	if raw, err := os.ReadFile(s.file); err == nil {
		s.told = strings.Fields(string(raw))
	}
	return s
}

func (t known) mark() string { return fmt.Sprintf("%s@%d", t.Slug, t.Revision) }

func (s toldSession) knows(t known) bool { return slices.Contains(s.told, t.mark()) }

// keep remembers what was told, and forgets sessions that ended long ago.
func (s toldSession) keep(told []known) error {
	if s.file == "" {
		return nil
	}
	for _, t := range told {
		s.told = append(s.told, t.mark())
	}
	folder := filepath.Dir(s.file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("remember what was told: %w", err)
	}
	if err := os.WriteFile(s.file, []byte(strings.Join(s.told, "\n")+"\n"), 0o600); err != nil {
		return fmt.Errorf("remember what was told: %w", err)
	}
	others, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("forget earlier sessions: %w", err)
	}
	for _, other := range others {
		if info, err := other.Info(); err == nil && time.Since(info.ModTime()) > sessionsKept {
			_ = os.Remove(filepath.Join(folder, other.Name()))
		}
	}
	return nil
}
