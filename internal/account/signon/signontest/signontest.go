// Package signontest owns a server for tests that people sign in at: a real one on this machine, which speaks OpenID Connect
// with keys of its own and OAuth 2 as GitHub does, and which can be told to misbehave.
//
// It refuses to be lenient: what a client does wrong is an error in its answer, as it would be with a real one.
package signontest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"driftless/internal/config"
)

// The client that is registered at every server.
const (
	clientID     = "driftless"
	clientSecret = "client secret/+%" // its characters have to be escaped
)

// User is somebody with an account at the server. The subject is a number, as GitHub's are.
type User struct {
	Subject  int64
	Name     string
	Email    string
	Verified bool
	// Emails are all addresses at the GitHub side, where there is more than the one.
	Emails []Email
}

// Email is an address of a user of the GitHub side.
type Email struct {
	Email    string `json:"email"`
	Primary  bool   `json:"primary"`
	Verified bool   `json:"verified"`
}

// Manners are how the server behaves; zero is well.
type Manners struct {
	Down bool
	// Refuses is the error that a person is sent back with.
	Refuses string
	// Issuer is sent back with an answer (RFC 9207); empty sends none.
	Issuer string
	// PromisesIssuer says in the metadata that each answer has an issuer.
	PromisesIssuer bool
	// IgnoresPKCE exchanges codes without looking at the verifier.
	IgnoresPKCE bool
	// PostAuth takes the client secret in the body alone.
	PostAuth bool
	// HidesEmail keeps the address out of the ID token.
	HidesEmail bool
	// Claims changes those of an ID token.
	Claims func(map[string]any)
	// Userinfo changes the answer of the userinfo endpoint.
	Userinfo func(map[string]any)
	// Intercept answers a request instead of the server where it returns true.
	Intercept func(http.ResponseWriter, *http.Request) bool
}

// Server is the server. Make one with [Start].
type Server struct {
	URL string

	mu      sync.Mutex
	manners Manners
	user    User
	codes   map[string]grant
	tokens  map[string]User
	key     *ecdsa.PrivateKey
	keyID   int
	asked   int
}

// grant is what a code stands for.
type grant struct {
	user                       User
	redirect, challenge, nonce string
}

// Start starts a server, which ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{codes: map[string]grant{}, tokens: map[string]User{}}
	s.RotateKey()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", s.metadata)
	mux.HandleFunc("GET /keys", s.keys)
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("POST /token", s.token)
	mux.HandleFunc("GET /userinfo", s.userinfo)
	mux.HandleFunc("GET /login/oauth/authorize", s.authorize)
	mux.HandleFunc("POST /login/oauth/access_token", s.token)
	mux.HandleFunc("GET /api/v3/user", s.apiUser)
	mux.HandleFunc("GET /api/v3/user/emails", s.apiEmails)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked++
		down, intercept := s.manners.Down, s.manners.Intercept
		s.mu.Unlock()
		switch {
		case down:
			http.Error(w, "down", http.StatusServiceUnavailable)
		case intercept == nil || !intercept(w, r):
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(web.Close)
	s.URL = web.URL
	return s
}

// OpenID is how the server is configured as an issuer of OpenID Connect.
func (s *Server) OpenID(id string) config.Provider {
	return config.Provider{ID: id, Name: "Issuer " + id, Issuer: s.URL, ClientID: clientID, ClientSecret: clientSecret}
}

// GitHub is how the server is configured as one that is like GitHub.
func (s *Server) GitHub(id string) config.Provider {
	return config.Provider{ID: id, Name: "Forge " + id, GitHub: true, BaseURL: s.URL, ClientID: clientID, ClientSecret: clientSecret}
}

// SignsIn says who is signed in at the server from now on.
func (s *Server) SignsIn(u User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user = u
}

// Behave changes how the server behaves.
func (s *Server) Behave(m Manners) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manners = m
}

// RotateKey signs with a new key from now on, and forgets the one before.
func (s *Server) RotateKey() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
	s.keyID++
}

// Asked is how many requests there were.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *Server) metadata(w http.ResponseWriter, _ *http.Request) {
	m := s.behaviour()
	doc := map[string]any{
		"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token", "jwks_uri": s.URL + "/keys",
		"userinfo_endpoint": s.URL + "/userinfo", "id_token_signing_alg_values_supported": []string{"ES256"},
		"authorization_response_iss_parameter_supported": m.PromisesIssuer,
	}
	if m.PostAuth {
		doc["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"}
	}
	answer(w, http.StatusOK, doc)
}

func (s *Server) behaviour() Manners {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manners
}

func (s *Server) keys(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := jose.JSONWebKey{Key: s.key.Public(), KeyID: strconv.Itoa(s.keyID), Algorithm: "ES256", Use: "sig"}
	answer(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}})
}

// authorize sends the person who is signed in back at once, as a server does that was asked before.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	openID := r.URL.Path == "/authorize"
	switch {
	case err != nil || q.Get("client_id") != clientID || !strings.HasSuffix(back.Path, "/callback"):
		http.Error(w, "unknown client or redirect address", http.StatusBadRequest)
		return
	case q.Get("response_type") != "code", q.Get("state") == "", q.Get("code_challenge") == "", q.Get("code_challenge_method") != "S256",
		openID && (q.Get("nonce") == "" || !strings.Contains(q.Get("scope"), "openid")):
		http.Error(w, "an incomplete request", http.StatusBadRequest)
		return
	}
	out := url.Values{"state": {q.Get("state")}}
	if s.manners.Issuer != "" {
		out.Set("iss", s.manners.Issuer)
	}
	if s.manners.Refuses != "" {
		out.Set("error", s.manners.Refuses)
	} else {
		code := rand.Text()
		s.codes[code] = grant{user: s.user, redirect: back.String(), challenge: q.Get("code_challenge"), nonce: q.Get("nonce")}
		out.Set("code", code)
	}
	back.RawQuery = out.Encode()
	w.Header().Set("Location", back.String())
	w.WriteHeader(http.StatusFound)
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	openID := r.URL.Path == "/token"
	id, secret, basic := r.BasicAuth()
	if basic {
		// RFC 6749 section 2.3.1: both are encoded as in a form first.
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if id != clientID || secret != clientSecret || openID && basic == s.manners.PostAuth {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	code := r.PostFormValue("code")
	g, ok := s.codes[code]
	delete(s.codes, code)
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	proven := s.manners.IgnoresPKCE || base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge
	if !ok || !proven || r.PostFormValue("redirect_uri") != g.redirect {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	access := rand.Text()
	s.tokens[access] = g.user
	out := map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 300}
	if openID {
		now := time.Now()
		claims := map[string]any{
			"iss": s.URL, "sub": strconv.FormatInt(g.user.Subject, 10), "aud": clientID, "exp": now.Add(time.Minute).Unix(), "iat": now.Unix(),
			"nonce": g.nonce, "name": g.user.Name,
		}
		if !s.manners.HidesEmail {
			claims["email"], claims["email_verified"] = g.user.Email, g.user.Verified
		}
		if s.manners.Claims != nil {
			s.manners.Claims(claims)
		}
		out["id_token"] = s.sign(claims)
	}
	answer(w, http.StatusOK, out)
}

func (s *Server) sign(claims map[string]any) string {
	key := jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: s.key, KeyID: strconv.Itoa(s.keyID)}}
	signer, err := jose.NewSigner(key, nil)
	if err != nil {
		panic(err)
	}
	raw, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	signed, err := signer.Sign(raw)
	if err != nil {
		panic(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return text
}

// bearer is the user behind the access token of a request.
func (s *Server) bearer(w http.ResponseWriter, r *http.Request) (u User, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ok = s.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !ok {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_token"})
	}
	return u, ok
}

func (s *Server) userinfo(w http.ResponseWriter, r *http.Request) {
	u, ok := s.bearer(w, r)
	if !ok {
		return
	}
	info := map[string]any{"sub": strconv.FormatInt(u.Subject, 10), "email": u.Email, "email_verified": u.Verified}
	if change := s.behaviour().Userinfo; change != nil {
		change(info)
	}
	answer(w, http.StatusOK, info)
}

func (s *Server) apiUser(w http.ResponseWriter, r *http.Request) {
	if u, ok := s.bearer(w, r); ok {
		answer(w, http.StatusOK, map[string]any{"id": u.Subject, "login": "login-" + strconv.FormatInt(u.Subject, 10), "name": u.Name, "email": u.Email})
	}
}

func (s *Server) apiEmails(w http.ResponseWriter, r *http.Request) {
	u, ok := s.bearer(w, r)
	if !ok {
		return
	}
	if u.Emails == nil {
		u.Emails = []Email{{Email: u.Email, Primary: true, Verified: u.Verified}}
	}
	answer(w, http.StatusOK, u.Emails)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
