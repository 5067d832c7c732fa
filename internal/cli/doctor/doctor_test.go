package doctor_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"driftless/internal/app"
	"driftless/internal/cli/doctor"
	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// proxy spoils what goes through it. Everything it does not touch is the real server's.
type proxy struct {
	// answer answers instead of the server, where it says so.
	answer func(w http.ResponseWriter, r *http.Request) bool
	// request and response change what passes.
	request  func(*http.Request)
	response func(*http.Request, *httptest.ResponseRecorder)
}

func (p proxy) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.answer != nil && p.answer(w, r) {
			return
		}
		if p.request != nil {
			p.request(r)
		}
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		if p.response != nil {
			p.response(r, recorded)
		}
		for name, values := range recorded.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(recorded.Code)
		_, _ = w.Write(recorded.Body.Bytes())
	})
}

// stage is a real server behind a proxy.
type stage struct {
	t      *testing.T
	web    *httptest.Server
	server *app.App
	url    string
	opts   doctor.Options
}

// behind starts a server whose public address is that of the proxy. public changes it.
func behind(t *testing.T, p proxy, certificate *tls.Certificate, public ...string) *stage {
	t.Helper()
	s := &stage{t: t, web: httptest.NewUnstartedServer(nil)}
	s.web.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.url = "http://" + s.web.Listener.Addr().String()
	if certificate != nil {
		s.web.TLS = &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
		s.url = "https://" + s.web.Listener.Addr().String()
	}
	address := append(public, s.url)[0]
	const plenty = 1_000_000
	var err error
	s.server, err = app.New(config.Config{
		Addr: "127.0.0.1:0", PublicURL: address, Calls: plenty, IndexBytes: 1 << 24, Registrations: plenty, SignInFails: plenty,
		TokenRequests: plenty, AccessTTL: time.Hour, RefreshTTL: time.Hour, SessionTTL: time.Hour,
	}, &app.Database{DB: pgtest.DB(t)}, slog.New(slog.NewTextHandler(t.Output(), nil)), "test")
	if err != nil {
		t.Fatal(err)
	}
	s.web.Config.Handler = p.before(s.server.Handler())
	if certificate != nil {
		s.web.StartTLS()
	} else {
		s.web.Start()
	}
	t.Cleanup(s.web.Close)
	s.opts = doctor.Options{Address: s.url + "/mcp", Agent: "test"}
	return s
}

// key makes a credential on the server.
func (s *stage) key() string {
	s.t.Helper()
	owner := pgtest.Workspace(s.t)
	answer, err := s.server.Registry.Call(s.t.Context(), owner.Caller, op.Call{
		Operation: s.server.Registry.Operation("keys.create"), Arguments: map[string]any{"name": "doctor", "scopes": []any{"context:read"}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	var made struct {
		Secret string `json:"secret"`
	}
	if err := json.Unmarshal(answer.JSON, &made); err != nil {
		s.t.Fatal(err)
	}
	return made.Secret
}

// holding is somebody with this credential.
func holding(secret string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return secret, nil }
}

// ids are the findings that are not ok, each with its severity; every one is complete.
func ids(t *testing.T, o doctor.Options) []string {
	t.Helper()
	report, err := doctor.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for _, f := range report.Results {
		if f.Severity == doctor.OK {
			continue
		}
		all = append(all, string(f.Severity)+" "+f.ID)
		if f.ID == "" || f.Seen == "" || f.Why == "" || f.Cure == "" {
			t.Errorf("the finding is not complete: %+v", f)
		}
		if strings.Contains(f.Seen, "dl_") {
			t.Errorf("the credential is shown: %s", f.Seen)
		}
		t.Logf("%+v", f)
	}
	return all
}

// certificate is one for this machine that nobody signed, valid until then.
func certificate(t *testing.T, until time.Time) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.Add(-48 * time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: parsed}
}

// trusting is a transport that takes the certificate for one of a known authority.
func trusting(c *tls.Certificate) http.RoundTripper {
	pool := x509.NewCertPool()
	pool.AddCert(c.Leaf)
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
}

// everywhere is a transport for which every name is the address.
func everywhere(address string) http.RoundTripper {
	return &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
}

func TestAHealthyServerHasNoFindingAndIsWalkedToTheTools(t *testing.T) {
	t.Parallel()
	s := behind(t, proxy{}, nil)
	s.opts.Credential = holding(s.key())
	for _, address := range []string{s.url, s.url + "/", s.url + "/mcp", s.url + "/mcp/"} {
		s.opts.Address = address
		report, err := doctor.Run(t.Context(), s.opts)
		if err != nil || report.Broken+report.Warnings > 0 {
			t.Errorf("%s: %v, %+v", address, err, report)
		}
		last := report.Results[len(report.Results)-1]
		if last.Check != "tools/list" || !strings.Contains(last.Seen, " tools, ") || !strings.Contains(last.Seen, " ms") {
			t.Errorf("the last step is %+v", last)
		}
	}
}

func TestAHealthyServerBehindTLSHasNoFinding(t *testing.T) {
	t.Parallel()
	own := certificate(t, time.Now().Add(time.Hour))
	s := behind(t, proxy{}, own)
	s.opts.Transport = trusting(own)
	if found := ids(t, s.opts); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

func TestTheReportIsForPeopleAndShowsForeignTextAsData(t *testing.T) {
	t.Parallel()
	s := behind(t, proxy{answer: func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("WWW-Authenticate", "Basic realm=\"\u202e"+strings.Repeat("x", 500)+"\"")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, r.Header.Get("Authorization"))
		return true
	}}, nil)
	s.opts.Credential = holding("dl_secret")
	report, err := doctor.Run(t.Context(), s.opts)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Contains(text, "\u202e") || strings.Contains(text, strings.Repeat("x", 200)) || strings.Contains(text, "dl_secret") {
		t.Errorf("the report shows\n%s", text)
	}
	for _, want := range []string{s.url + "/mcp", "broken", "(challenge)", "seen", "why", "cure", "nginx"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestACredentialDoesNotTravelInTheOpen(t *testing.T) {
	t.Parallel()
	const public = "http://context.example.test"
	s := behind(t, proxy{answer: func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.Header.Get("Authorization"), "dl_secret") {
			t.Error("the credential was sent")
		}
		return false
	}}, nil, public)
	s.opts.Address, s.opts.Transport, s.opts.Credential = public, everywhere(s.web.Listener.Addr().String()), holding("dl_secret")
	ids(t, s.opts)
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "nowhere", "ftp://files.example", "https://u:p@host.example", "://"} {
		if _, err := doctor.Run(t.Context(), doctor.Options{Address: address}); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
}

// hanging answers the first request as it should, and then none.
type hanging struct{ asked chan struct{} }

func (h hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case h.asked <- struct{}{}:
		return &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	default:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
}

func TestAServerThatHangsEndsTheVisitInTime(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	report, err := doctor.Run(ctx, doctor.Options{Address: "http://127.0.0.1/mcp", Transport: hanging{make(chan struct{}, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	if last := report.Results[len(report.Results)-1]; last.ID != "time" || last.Severity != doctor.Broken {
		t.Errorf("the last finding is %+v", last)
	}
}
