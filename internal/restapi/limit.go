package restapi

import (
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/oauth"
	"driftless/internal/obs"
	"driftless/internal/tenant"
)

// bucketsMax bounds how many keys are remembered. Beyond it each new key costs the fullest of evictSample others its place,
// which is the one that loses least by it.
const (
	bucketsMax  = 50_000
	evictSample = 8
)

// The limits that are taken from here; those of the authorization server are named there.
const (
	limitCalls     = "calls"
	limitPublic    = "public"
	limitResets    = "resets" // asking for links to reset a password, which sends mails to others
	limitSignIn    = "signin" // failures
	limitSignOn    = "signon" // ceremonies that anybody may begin, each of which the server has to keep
	limitWorkspace = "workspace"
)

// limits are token buckets by limit and key. They live in one process: behind several, each allows its share.
type limits struct {
	perMinute map[string]int
	metrics   *obs.Metrics

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
}

func newLimits(c config.Config, m *obs.Metrics) *limits {
	l := &limits{
		perMinute: map[string]int{
			oauth.LimitRegistration: c.Registrations, oauth.LimitToken: c.TokenRequests,
			// Typing the code of a device wrong is as good as failing to sign in.
			oauth.LimitCodes: c.SignInFails,
			limitCalls:       c.Calls, limitPublic: c.PublicReads, limitResets: c.SignInFails, limitSignIn: c.SignInFails,
			limitSignOn: c.Registrations, limitWorkspace: c.WorkspaceRate,
		},
		metrics: m, buckets: map[string]*rate.Limiter{},
	}
	m.Quotas(l.quotas)
	return l
}

// quotas tells of each limit how far the key that used it most has come.
func (l *limits) quotas() []obs.Quota {
	l.mu.Lock()
	buckets := maps.Clone(l.buckets)
	l.mu.Unlock()
	fullest := map[string]float64{}
	for name, b := range buckets {
		limit, _, _ := strings.Cut(name, "\x00")
		fullest[limit] = max(fullest[limit], 1-b.Tokens()/float64(b.Burst()))
	}
	out := make([]obs.Quota, 0, len(l.perMinute))
	for limit, n := range l.perMinute {
		out = append(out, obs.Quota{Limit: limit, PerMinute: n, Fullest: min(1, fullest[limit])})
	}
	return out
}

func (l *limits) bucket(limit, key string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := limit + "\x00" + key
	b := l.buckets[name]
	if b == nil {
		if len(l.buckets) >= bucketsMax {
			l.evict()
		}
		n := l.perMinute[limit]
		b = rate.NewLimiter(rate.Limit(float64(n)/60), n)
		l.buckets[name] = b
	}
	return b
}

// evict forgets one bucket. A map is walked from a random place, so looking at the first few is a sample.
func (l *limits) evict() {
	fullest, most, seen := "", -1.0, 0
	for name, b := range l.buckets {
		if share := b.Tokens() / float64(b.Burst()); share > most {
			fullest, most = name, share
		}
		if seen++; seen == evictSample {
			break
		}
	}
	delete(l.buckets, fullest)
}

// take uses one token of the key, or says how long until there is one.
func (l *limits) take(limit, key string) error {
	b := l.bucket(limit, key)
	if b.Allow() {
		l.metrics.Taken(limit)
		return nil
	}
	l.metrics.Limited(limit)
	wait := time.Duration(math.Ceil((1 - b.Tokens()) / float64(b.Limit()) * float64(time.Second)))
	what := "too many requests: %d a minute are allowed"
	if limit == limitWorkspace {
		what = "too many calls in this workspace: %d a minute are allowed to all its keys and tokens together"
	}
	e := fault.New(fault.Rate, fault.CodeRateLimited, fmt.Sprintf(what, b.Burst()), "")
	e.RetryAfter = max(wait, time.Second)
	e.Hint = fmt.Sprintf("try again in %d seconds", e.RetrySeconds())
	return e
}

// giveBack returns a token that was taken: a bucket never holds more than its burst, whatever is put in.
func (l *limits) giveBack(limit, key string) { l.bucket(limit, key).AllowN(time.Now(), -1) }

// guess runs something by which a secret can be guessed. A token is taken before, so that tries at the same moment cannot
// all see the last one, and given back unless the try failed with the code that says that the guess was wrong.
func (s *Server) guess(c echo.Context, wrong fault.Code, try func() error) error {
	from := network(c.RealIP())
	if err := s.limits.take(limitSignIn, from); err != nil {
		return err
	}
	err := try()
	switch {
	case fault.Is(err, fault.CodeRateLimited):
		// The account refused it for the guesses before it. It is a try of this address all the same.
		s.Metrics.Limited("account")
	case !fault.Is(err, wrong):
		s.limits.giveBack(limitSignIn, from)
	}
	return err
}

// Limit takes from the limit of the address that a request comes from, for handlers of other packages that decide themselves
// what counts.
func (s *Server) Limit(limit string, r *http.Request) error {
	return s.limits.take(limit, network(s.echo.IPExtractor(r)))
}

// PublicLimit is the limit on what anybody reads from one address; other transports take from it too.
func (s *Server) PublicLimit(r *http.Request) error { return s.Limit(limitPublic, r) }

// WorkspaceLimit is the limit on what all keys and tokens together do in one workspace. People in the console are not counted:
// they have to get in when programs do too much.
func (s *Server) WorkspaceLimit(a tenant.Actor) error {
	if a.Via == tenant.ViaConsole {
		return nil
	}
	return s.limits.take(limitWorkspace, a.Workspace.String())
}

// network is what the limits count an address as: for IPv6 the /64, which is the least that one customer is given.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	return netip.PrefixFrom(a.WithZone(""), 64).Masked().String()
}

func retryAfter(e *fault.Error) string {
	return strconv.Itoa(e.RetrySeconds())
}

// addressOf finds the address a request came from; X-Forwarded-For counts only as far as trusted proxies wrote it.
// A proxy may add a line of its own instead of extending the last one; all of them are one list (RFC 9110 section 5.3).
func addressOf(c config.Config) func(*http.Request) string {
	var trusted []netip.Prefix
	for _, text := range c.TrustedProxy {
		if p, err := netip.ParsePrefix(text); err == nil {
			trusted = append(trusted, p)
		}
	}
	known := func(text string) bool {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return false
		}
		for _, p := range trusted {
			if p.Contains(a.Unmap()) {
				return true
			}
		}
		return false
	}
	return func(r *http.Request) string {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for i := len(hops) - 1; i >= 0 && known(host); i-- {
			if hop := strings.TrimSpace(hops[i]); hop != "" {
				host = hop
			}
		}
		return host
	}
}
