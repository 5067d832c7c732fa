// Package config owns the one struct that the server is configured by. It is read from the environment, checked as a
// whole, and all problems are said in one message; a secret NAME may also be given as a file in NAME_FILE.
//
// It refuses to read anything else of the environment for anybody, and to be changed after the start.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/caarlos0/env/v11"
)

// Config is the configuration of a server. The tag doc is the sentence of the reference page.
type Config struct {
	Addr            string        `env:"DRIFTLESS_ADDR" envDefault:"127.0.0.1:8080" doc:"Address and port to listen on."`
	AdminAddr       string        `env:"DRIFTLESS_ADMIN_ADDR" doc:"Address for /metrics alone; without it /metrics answers loopback callers on the main address."`
	DataDir         string        `env:"DRIFTLESS_DATA_DIR" doc:"Folder of the private database. Default: ~/.local/share/driftless."`
	DatabaseURL     string        `env:"DRIFTLESS_DATABASE_URL" secret:"true" doc:"An existing PostgreSQL (15 or newer) as its owner, instead of the private one."`
	PostgresBin     string        `env:"DRIFTLESS_POSTGRES_BIN" doc:"Folder with the programs initdb and postgres for the private database; otherwise they are looked for."`
	PublicURL       string        `env:"DRIFTLESS_PUBLIC_URL" doc:"The address people and clients use: issuer of tokens and base of links. Default: http:// and the listening address."`
	Log             string        `env:"DRIFTLESS_LOG" envDefault:"info" doc:"Lowest level that is logged: debug, info, warn or error."`
	LogFormat       string        `env:"DRIFTLESS_LOG_FORMAT" envDefault:"text" doc:"text or json."`
	Origins         []string      `env:"DRIFTLESS_ALLOWED_ORIGINS" doc:"Origins beside the public one whose browsers may call /mcp, separated by commas."`
	TrustedProxy    []string      `env:"DRIFTLESS_TRUSTED_PROXIES" doc:"Networks (CIDR) whose X-Forwarded-For is believed, separated by commas."`
	RefreshGrace    time.Duration `env:"DRIFTLESS_REFRESH_GRACE" envDefault:"30m" doc:"How long a rotated refresh token still answers with a valid pair."`
	AccessTTL       time.Duration `env:"DRIFTLESS_ACCESS_TOKEN_TTL" envDefault:"1h" doc:"Life of an access token, at most 1h."`
	RefreshTTL      time.Duration `env:"DRIFTLESS_REFRESH_TOKEN_TTL" envDefault:"2160h" doc:"Life of an unused refresh token."`
	SessionTTL      time.Duration `env:"DRIFTLESS_SESSION_TTL" envDefault:"336h" doc:"Life of an unused console session."`
	Offline         bool          `env:"DRIFTLESS_OFFLINE" doc:"true where the server cannot reach the internet: it neither offers nor reads metadata documents of clients, so that Claude Code, Codex and others register instead."`
	SignOn          Providers     `env:"DRIFTLESS_SIGNON" secret:"true" doc:"Servers that people may sign in at beside their password, as a JSON list; see Administration."`
	Registrations   int           `env:"DRIFTLESS_LIMIT_REGISTRATIONS" envDefault:"60" doc:"Client registrations, documents of clients that are fetched, and sign-ons and sign-ins with a passkey that are begun, each a minute and address."`
	SignInFails     int           `env:"DRIFTLESS_LIMIT_SIGNIN_FAILURES" envDefault:"10" doc:"Failed sign-ins, and wrong current passwords, a minute and address; codes of devices that are looked up count apart, with the same limit."`
	AccountFails    int           `env:"DRIFTLESS_LIMIT_ACCOUNT_FAILURES" envDefault:"30" doc:"Wrong passwords an hour and account, together from all browsers that have not signed in to it before; each of those that have, and each session, counts apart with the same limit."`
	Calls           int           `env:"DRIFTLESS_LIMIT_CALLS" envDefault:"1200" doc:"Calls a minute and credential; a connection of an application counts once, however often it refreshes."`
	WorkspaceRate   int           `env:"DRIFTLESS_LIMIT_WORKSPACE" envDefault:"6000" doc:"Calls a minute and workspace, by all keys and tokens together; people in the console are not counted."`
	TokenRequests   int           `env:"DRIFTLESS_LIMIT_TOKEN_REQUESTS" envDefault:"120" doc:"Token requests a minute and address."`
	LeakedFile      string        `env:"DRIFTLESS_BREACHED_PASSWORDS" doc:"File with the SHA-1 of leaked passwords, sorted, one HASH:COUNT a line; a new password that is in it is refused. Without it the list in the program is asked alone."`
	PublicReads     int           `env:"DRIFTLESS_LIMIT_PUBLIC" envDefault:"300" doc:"Reads of shared pages and of public knowledge a minute and address."`
	PublicKnowledge []string      `env:"DRIFTLESS_PUBLIC_KNOWLEDGE" doc:"Workspaces, by slug and separated by commas, whose Knowledge that was shared to the web is open at /mcp/public/ to anybody, as long as their owner saved no other choice."`
	PublicTags      []string      `env:"DRIFTLESS_PUBLIC_KNOWLEDGE_TAGS" doc:"Tags, separated by commas: of those workspaces only topics with one of them are open."`
	IndexBytes      int64         `env:"DRIFTLESS_INDEX_BYTES" envDefault:"268435456" doc:"Memory for search indexes over all workspaces, in bytes; the least used are dropped beyond it."`
	SecretKey       string        `env:"DRIFTLESS_SECRET_KEY" secret:"true" doc:"At least 32 characters, kept apart from the database: encrypts the deploy keys and tokens of mirrors. Without it only repositories that anybody may read can be mirrored."`
	MirrorBytes     int64         `env:"DRIFTLESS_MIRROR_BYTES" envDefault:"2147483648" doc:"Largest clone of a mirrored repository on disk, in bytes."`
	MirrorTimeout   time.Duration `env:"DRIFTLESS_MIRROR_TIMEOUT" envDefault:"4m" doc:"How long fetching a mirrored repository may take, at most 4m."`
	MirrorInside    []string      `env:"DRIFTLESS_MIRROR_NETWORKS" doc:"Networks (CIDR) that mirrors may reach beside the public internet, separated by commas, such as that of your own forge."`
	EmbedURL        string        `env:"DRIFTLESS_EMBEDDINGS_URL" doc:"Address of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1, whose embeddings add likeness of meaning to retrieval. It is sent tasks and the words of topics. Default: none."`
	EmbedModel      string        `env:"DRIFTLESS_EMBEDDINGS_MODEL" doc:"Model for embeddings; another one makes all vectors anew."`
	EmbedKey        string        `env:"DRIFTLESS_EMBEDDINGS_KEY" secret:"true" doc:"Key for that endpoint, if it wants one."`
	IndexDir        string        `env:"DRIFTLESS_INDEX_DIR" doc:"Folder that search indexes are kept in between two runs, so that a start need not build them; off for none. Default: indexes in the data folder."`
	Ctags           string        `env:"DRIFTLESS_CTAGS" doc:"The program universal-ctags, which tells symbols in languages other than Go; none for none. Default: it is looked for. 'driftless sync' reads it too."`
	SMTPHost        string        `env:"DRIFTLESS_SMTP_HOST" doc:"Mail server that invitations and links to reset a password are sent by; without it no mail is sent."`
	SMTPPort        int           `env:"DRIFTLESS_SMTP_PORT" doc:"Port of the mail server. Default: 587, with tls 465, with none 25."`
	SMTPUser        string        `env:"DRIFTLESS_SMTP_USER" doc:"Account at the mail server, if it wants one."`
	SMTPPassword    string        `env:"DRIFTLESS_SMTP_PASSWORD" secret:"true" doc:"Password of that account."`
	SMTPFrom        string        `env:"DRIFTLESS_SMTP_FROM" doc:"Address that mail comes from, such as Driftless <driftless@example.com>."`
	SMTPTLS         string        `env:"DRIFTLESS_SMTP_TLS" envDefault:"starttls" doc:"starttls, tls (from the first byte), or none for a mail server on this machine."`
}

const (
	// secretKeyMin is the shortest key that others' secrets are encrypted with, in characters.
	secretKeyMin = 32
	// mirrorTimeoutMax leaves a job the time to say what came of a fetch.
	mirrorTimeoutMax = 4 * time.Minute
)

// FromEnviron reads and checks the configuration. The error names every problem at once.
func FromEnviron() (Config, error) {
	var c Config
	environ := env.ToMap(os.Environ())
	problems := readFiles(environ)
	if err := env.ParseWithOptions(&c, env.Options{Environment: environ}); err != nil {
		var all env.AggregateError
		if errors.As(err, &all) {
			for _, e := range all.Errors {
				problems = append(problems, inWords(e, environ))
			}
		} else {
			problems = append(problems, err.Error())
		}
	}
	for _, problem := range c.complete() {
		name, _, _ := strings.Cut(problem, ":")
		// A variable that could not be read has no value to be wrong.
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, name+":") }) {
			problems = append(problems, problem)
		}
	}
	slices.Sort(problems)
	if len(problems) > 0 {
		return c, fmt.Errorf("the configuration is not usable:\n  %s", strings.Join(problems, "\n  "))
	}
	return c, nil
}

// inWords says which variable cannot be read, where the library names the field of the struct.
func inWords(err error, environ map[string]string) string {
	var parse env.ParseError
	if !errors.As(err, &parse) {
		return err.Error()
	}
	f, _ := reflect.TypeFor[Config]().FieldByName(parse.Name)
	name := f.Tag.Get("env")
	var words unreadable
	if errors.As(parse.Err, &words) {
		return fmt.Sprintf("%s: cannot be read: %s", name, words)
	}
	if f.Tag.Get("secret") != "" {
		return fmt.Sprintf("%s: cannot be read as %s", name, parse.Type)
	}
	return fmt.Sprintf("%s: %q cannot be read as %s, e.g. %s", name, environ[name], parse.Type, f.Tag.Get("envDefault"))
}

// readFiles replaces NAME_FILE by the content of the file, for every secret.
func readFiles(environ map[string]string) (problems []string) {
	for f := range reflect.TypeFor[Config]().Fields() {
		name := f.Tag.Get("env")
		path := environ[name+"_FILE"]
		if f.Tag.Get("secret") == "" || path == "" {
			continue
		}
		if environ[name] != "" {
			problems = append(problems, fmt.Sprintf("%s and %s_FILE are both set; keep one", name, name))
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s_FILE: %v", name, err))
			continue
		}
		environ[name] = strings.TrimSpace(string(text))
	}
	return problems
}

func (c *Config) complete() (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil || port == "" {
		say("DRIFTLESS_ADDR: %q is not host:port, e.g. 127.0.0.1:8080", c.Addr)
	}
	if c.AdminAddr != "" {
		if _, _, err := net.SplitHostPort(c.AdminAddr); err != nil {
			say("DRIFTLESS_ADMIN_ADDR: %q is not host:port", c.AdminAddr)
		}
	}
	if c.PublicURL == "" {
		if host == "" || host == "0.0.0.0" || host == "::" {
			host = "127.0.0.1"
		}
		c.PublicURL = "http://" + net.JoinHostPort(host, port)
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		say("DRIFTLESS_PUBLIC_URL: %q is not an http(s) address without path, e.g. https://context.example.com", c.PublicURL)
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	if c.DataDir == "" {
		home, err := os.UserHomeDir()
		if err != nil && c.DatabaseURL == "" {
			say("DRIFTLESS_DATA_DIR: there is no home folder to put it in; set it")
		}
		c.DataDir = filepath.Join(home, ".local", "share", "driftless")
	}
	if (c.EmbedURL == "") != (c.EmbedModel == "") {
		say("DRIFTLESS_EMBEDDINGS_URL: address and DRIFTLESS_EMBEDDINGS_MODEL belong together; set both or neither")
	}
	if u, err := url.Parse(c.EmbedURL); c.EmbedURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		say("DRIFTLESS_EMBEDDINGS_URL: %q is not an http(s) address, e.g. http://127.0.0.1:11434/v1", c.EmbedURL)
	}
	switch c.IndexDir {
	case "":
		c.IndexDir = filepath.Join(c.DataDir, "indexes")
	case "off":
		c.IndexDir = ""
	}
	switch c.Log {
	case "debug", "info", "warn", "error":
	default:
		say("DRIFTLESS_LOG: %q is not one of debug, info, warn, error", c.Log)
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		say("DRIFTLESS_LOG_FORMAT: %q is not one of text, json", c.LogFormat)
	}
	for _, n := range c.TrustedProxy {
		if _, err := netip.ParsePrefix(n); err != nil {
			say("DRIFTLESS_TRUSTED_PROXIES: %q is not a network such as 10.0.0.0/8", n)
		}
	}
	for _, n := range c.MirrorInside {
		if _, err := netip.ParsePrefix(n); err != nil {
			say("DRIFTLESS_MIRROR_NETWORKS: %q is not a network such as 10.0.0.0/8", n)
		}
	}
	if c.SecretKey != "" && len(c.SecretKey) < secretKeyMin {
		say("DRIFTLESS_SECRET_KEY: shorter than %d characters", secretKeyMin)
	}
	if c.MirrorBytes <= 0 {
		say("DRIFTLESS_MIRROR_BYTES: %d is not above 0", c.MirrorBytes)
	}
	if c.MirrorTimeout <= 0 || c.MirrorTimeout > mirrorTimeoutMax {
		say("DRIFTLESS_MIRROR_TIMEOUT: %s is not above 0 and at most %s", c.MirrorTimeout, mirrorTimeoutMax)
	}
	if c.AccessTTL <= 0 || c.AccessTTL > time.Hour {
		say("DRIFTLESS_ACCESS_TOKEN_TTL: %s is not above 0 and at most 1h", c.AccessTTL)
	}
	for name, d := range map[string]time.Duration{
		"DRIFTLESS_REFRESH_GRACE": c.RefreshGrace, "DRIFTLESS_REFRESH_TOKEN_TTL": c.RefreshTTL, "DRIFTLESS_SESSION_TTL": c.SessionTTL,
	} {
		if d <= 0 {
			say("%s: %s is not above 0", name, d)
		}
	}
	if c.IndexBytes <= 0 {
		say("DRIFTLESS_INDEX_BYTES: %d is not above 0", c.IndexBytes)
	}
	for _, o := range c.Origins {
		// Origins are compared as browsers send them (RFC 6454 section 6.1), so one of another form would never match.
		u, err := url.Parse(o)
		if err != nil || u.Host == "" || o != strings.ToLower(u.Scheme+"://"+u.Host) {
			say("DRIFTLESS_ALLOWED_ORIGINS: %q is not an origin such as https://pages.example.com", o)
		}
	}
	for _, slug := range c.PublicKnowledge {
		if slug == "" || strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			say("DRIFTLESS_PUBLIC_KNOWLEDGE: %q is not the slug of a workspace, such as acme", slug)
		}
	}
	for _, tag := range c.PublicTags {
		if tag == "" || tag != strings.ToLower(tag) || strings.ContainsFunc(tag, unicode.IsSpace) {
			say("DRIFTLESS_PUBLIC_KNOWLEDGE_TAGS: %q is not the name of a tag: lower case, dashes for spaces", tag)
		}
	}
	if wrong := c.SignOn.problems(); len(wrong) > 0 {
		say("DRIFTLESS_SIGNON: %s", strings.Join(wrong, "; "))
	}
	c.completeMail(say)
	for name, n := range map[string]int{
		"DRIFTLESS_LIMIT_REGISTRATIONS": c.Registrations, "DRIFTLESS_LIMIT_SIGNIN_FAILURES": c.SignInFails, "DRIFTLESS_LIMIT_ACCOUNT_FAILURES": c.AccountFails,
		"DRIFTLESS_LIMIT_CALLS": c.Calls, "DRIFTLESS_LIMIT_TOKEN_REQUESTS": c.TokenRequests,
		"DRIFTLESS_LIMIT_WORKSPACE": c.WorkspaceRate, "DRIFTLESS_LIMIT_PUBLIC": c.PublicReads,
	} {
		if n < 1 {
			say("%s: %d is not at least 1", name, n)
		}
	}
	return problems
}

// Loopback reports whether the server listens on this machine only.
func (c Config) Loopback() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return false
	}
	return ThisMachine(host)
}

// Secure reports whether people reach the server over TLS; cookies are marked Secure then.
func (c Config) Secure() bool { return strings.HasPrefix(c.PublicURL, "https://") }

// Variable is one line of the reference page.
type Variable struct {
	Name, Default, Doc string
	Secret             bool
}

// Variables lists what can be configured, in the order of the struct.
func Variables() []Variable {
	var out []Variable
	for f := range reflect.TypeFor[Config]().Fields() {
		out = append(out, Variable{
			Name: f.Tag.Get("env"), Default: f.Tag.Get("envDefault"), Doc: f.Tag.Get("doc"),
			Secret: f.Tag.Get("secret") != "",
		})
	}
	return out
}
