package restapi

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/obs"
)

// bucketsMax bounds how many keys are remembered; beyond it those that are full again are forgotten.
const bucketsMax = 50_000

// limits are token buckets by limit and key. They live in one process: behind several, each allows its share.
type limits struct {
	perMinute map[string]int
	metrics   *obs.Metrics

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
}

func newLimits(c config.Config, m *obs.Metrics) *limits {
	return &limits{
		perMinute: map[string]int{
			"registration": c.Registrations, "token": c.TokenRequests, "signin": c.SignInFails, "calls": c.Calls,
			// Typing the code of a device wrong is as good as failing to sign in.
			"codes": c.SignInFails,
		},
		metrics: m, buckets: map[string]*rate.Limiter{},
	}
}

func (l *limits) bucket(limit, key string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := limit + "\x00" + key
	b := l.buckets[name]
	if b == nil {
		if len(l.buckets) >= bucketsMax {
			for name, b := range l.buckets {
				if b.Tokens() >= float64(b.Burst()) {
					delete(l.buckets, name)
				}
			}
		}
		n := l.perMinute[limit]
		b = rate.NewLimiter(rate.Limit(float64(n)/60), n)
		l.buckets[name] = b
	}
	return b
}

// take uses one token of the key, or says how long until there is one.
func (l *limits) take(limit, key string) error {
	b := l.bucket(limit, key)
	if b.Allow() {
		return nil
	}
	return l.refuse(limit, b)
}

// allowed says whether the key has a token left without using one: for limits that only failures use up.
func (l *limits) allowed(limit, key string) error {
	b := l.bucket(limit, key)
	if b.Tokens() >= 1 {
		return nil
	}
	return l.refuse(limit, b)
}

func (l *limits) spend(limit, key string) { l.bucket(limit, key).Allow() }

func (l *limits) refuse(limit string, b *rate.Limiter) error {
	l.metrics.Limited(limit)
	wait := time.Duration(math.Ceil((1 - b.Tokens()) / float64(b.Limit()) * float64(time.Second)))
	e := fault.New(fault.Rate, fault.CodeRateLimited, fmt.Sprintf("too many requests: %d a minute are allowed", b.Burst()),
		"wait as long as Retry-After says")
	e.RetryAfter = max(wait, time.Second)
	return e
}

func retryAfter(e *fault.Error) string {
	return strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds())))
}

// addressOf finds the address a request came from; X-Forwarded-For counts only as far as trusted proxies wrote it.
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
		hops := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
		for i := len(hops) - 1; i >= 0 && known(host); i-- {
			if hop := strings.TrimSpace(hops[i]); hop != "" {
				host = hop
			}
		}
		return host
	}
}
