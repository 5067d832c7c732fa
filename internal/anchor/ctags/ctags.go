// Package ctags owns asking the program universal-ctags where the symbols of a file are, in the languages that have no parser here.
//
// The program is a help and no condition: where it is missing, too old, too slow or ends, the whole file stands for a symbol. The package
// hands it texts over a pipe, one at a time, and runs it with nothing of the machine: no options files, no files to open and, where the
// system can, without system calls. It refuses to read Go, which has a parser, and contents that fingerprints do not read either.
package ctags

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"driftless/internal/anchor/fingerprint"
)

const (
	// fileTimeout is how long one file may take; the program is ended then, and asked nothing more.
	fileTimeout = 5 * time.Second
	// tagsMax is how many symbols of one file are read, lineMax how long one answer about a symbol may be in bytes.
	tagsMax = 50_000
	lineMax = 1 << 20
)

// Reader takes fingerprints, with the help of the program where there is one. It starts it when it is first needed, belongs to one
// goroutine, and has to be closed.
type Reader struct {
	program string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	broken  bool
}

// New makes a reader with this program; "none" is none, and empty looks for one by its usual names.
func New(program string) *Reader {
	r := &Reader{program: program}
	if r.program == "none" {
		r.broken = true
		return r
	}
	for _, name := range []string{r.program, "universal-ctags", "ctags-universal", "ctags"} {
		if found, err := exec.LookPath(name); name != "" && err == nil {
			r.program = found
			return r
		}
	}
	r.broken = true
	return r
}

// Close ends the program.
func (r *Reader) Close() {
	r.broken = true
	if r.cmd == nil {
		return
	}
	_ = r.in.Close()
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	r.cmd = nil
}

// Prints takes the fingerprints of a file: of the whole for an empty symbol, else of that symbol. The program ends with the context of the
// first call that needs it.
func (r *Reader) Prints(ctx context.Context, file string, content []byte, symbols []string) []fingerprint.Print {
	named := slices.ContainsFunc(symbols, func(s string) bool { return s != "" })
	if !named || fingerprint.Symbols(file) || r.broken || len(content) > fingerprint.ContentMax {
		return fingerprint.Of(file, content, symbols)
	}
	tags, err := r.tags(ctx, file, content)
	if err != nil || len(tags) == 0 {
		return fingerprint.Of(file, content, symbols)
	}
	return fingerprint.OfSpans(file, content, symbols, func(symbol string) []fingerprint.Span { return spans(tags, symbol) })
}

// tag is what the program says of one symbol.
type tag struct {
	Type      string `json:"_type"`
	Name      string `json:"name"`
	Line      int    `json:"line"`
	End       int    `json:"end"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope"`
	ScopeKind string `json:"scopeKind"`
	Signature string `json:"signature"`
	TypeRef   string `json:"typeref"`
}

var errSlow = errors.New("the program does not answer")

// tags asks about one file. After an error it asks no more.
func (r *Reader) tags(ctx context.Context, file string, content []byte) (tags []tag, err error) {
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	// The name tells the language and nothing else; the program opens no file.
	head, err := json.Marshal(map[string]any{"command": "generate-tags", "filename": fingerprint.Name(file), "size": len(content)})
	if err != nil {
		return nil, fmt.Errorf("ask ctags: %w", err)
	}
	late := time.AfterFunc(fileTimeout, func() { _ = r.cmd.Process.Kill() })
	defer late.Stop()
	asked := make(chan error, 1)
	go func() {
		_, err := r.in.Write(slices.Concat(head, []byte{'\n'}, content))
		asked <- err
	}()
	tags, err = r.answers()
	if told := <-asked; err == nil && told != nil {
		err = fmt.Errorf("ask ctags: %w", told)
	}
	if err == nil && !late.Stop() {
		err = errSlow
	}
	return tags, err
}

// answers reads what the program says until it is done with a file.
func (r *Reader) answers() ([]tag, error) {
	var tags []tag
	for {
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		var t tag
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("read what ctags says: %w", err)
		}
		switch t.Type {
		case "tag":
			if t.Line > 0 && len(tags) < tagsMax {
				tags = append(tags, t)
			}
		case "completed":
			slices.SortStableFunc(tags, func(a, b tag) int { return cmp.Compare(a.Line, b.Line) })
			return tags, nil
		case "error":
			// A language that it does not know, or a file that it cannot read.
			return nil, fmt.Errorf("ctags: %s", line)
		}
	}
}

func (r *Reader) line() ([]byte, error) {
	var line []byte
	for {
		part, more, err := r.out.ReadLine()
		if err != nil {
			return nil, fmt.Errorf("read what ctags says: %w", err)
		}
		if line = append(line, part...); len(line) > lineMax {
			return nil, errors.New("an answer of ctags is too long")
		}
		if !more {
			return line, nil
		}
	}
}

// start runs the program, in its sandbox where it has one.
func (r *Reader) start(ctx context.Context) error {
	if r.cmd != nil {
		return nil
	}
	features, err := exec.CommandContext(ctx, r.program, "--options=NONE", "--list-features").Output()
	if err != nil || !bytes.Contains(features, []byte("interactive")) {
		return errors.New("this ctags is not the universal one")
	}
	mode := "--_interactive"
	if bytes.Contains(features, []byte("\nsandbox ")) {
		mode += "=sandbox"
	}
	r.cmd = exec.CommandContext(ctx, r.program, "--options=NONE", mode, "--fields=*-P", "--sort=no")
	r.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	r.cmd.Dir = os.TempDir()
	if r.in, err = r.cmd.StdinPipe(); err == nil {
		var out io.ReadCloser
		if out, err = r.cmd.StdoutPipe(); err == nil {
			r.out = bufio.NewReaderSize(out, 64<<10)
			err = r.cmd.Start()
		}
	}
	if err != nil {
		r.cmd = nil
		return fmt.Errorf("start ctags: %w", err)
	}
	return nil
}

// spans are where a symbol is, Name or Type.method: what stands at the top level, else anything of that name.
func spans(tags []tag, symbol string) []fingerprint.Span {
	name, owner := symbol, ""
	if dot := strings.LastIndexAny(symbol, "."); dot > 0 {
		owner, name = symbol[:dot], symbol[dot+1:]
	}
	var all, top []fingerprint.Span
	for i, t := range tags {
		if t.Name != name || owner != "" && !within(t.Scope, owner) {
			continue
		}
		s := fingerprint.Span{From: t.Line, To: t.End, Before: next(tags[i+1:], t), Signature: t.signature()}
		all = append(all, s)
		if t.Scope == "" || t.ScopeKind == "namespace" || t.ScopeKind == "module" || t.ScopeKind == "package" {
			top = append(top, s)
		}
	}
	if owner == "" && len(top) > 0 {
		return top
	}
	return all
}

func (t tag) signature() string {
	if t.Signature == "" {
		return ""
	}
	return t.Signature + " " + t.TypeRef
}

// next is the line of the next thing that is no part of a symbol, 0 for none.
func next(after []tag, of tag) int {
	inside := of.Name
	if of.Scope != "" {
		inside = of.Scope + "." + of.Name
	}
	for _, t := range after {
		if t.Line > of.Line && !within(t.Scope, plain(inside)) {
			return t.Line
		}
	}
	return 0
}

// within reports whether a scope is the owner, or something in it; languages join the parts of a scope by various signs.
func within(scope, owner string) bool {
	parts, want := strings.Split(plain(scope), "."), strings.Split(plain(owner), ".")
	for i := 0; i+len(want) <= len(parts); i++ {
		if slices.Equal(parts[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

func plain(scope string) string {
	return strings.NewReplacer("::", ".", "/", ".", "#", ".", "\\", ".", ":", ".").Replace(scope)
}
