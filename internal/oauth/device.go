package oauth

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Limits of the grant for devices (RFC 8628 §3.2), the intervals in seconds.
const (
	deviceTTL      = 10 * time.Minute
	deviceInterval = 5
	slowerBy       = 5
)

// userLetters are what a code for people is made of: no vowels, so that it spells nothing, and nothing that looks like a digit
// (RFC 8628 §6.1). Eight of them are 34 bits, which the limit on guesses and ten minutes make enough.
const (
	userLetters = "BCDFGHJKLMNPQRSTVWXZ"
	userLength  = 8
)

// newUserCode makes a code that a person types, as it is kept: without the hyphen.
func newUserCode() (string, error) {
	var code [userLength]byte
	for i := range code {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(userLetters))))
		if err != nil {
			return "", fmt.Errorf("read randomness: %w", err)
		}
		code[i] = userLetters[n.Int64()]
	}
	return string(code[:]), nil
}

// shownCode is a code in two groups.
func shownCode(code string) string { return code[:userLength/2] + "-" + code[userLength/2:] }

// typedCode is the code that somebody typed, however they did: small letters, spaces and hyphens do not count.
func typedCode(text string) (string, bool) {
	code := strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToUpper(text))
	wrong := strings.ContainsFunc(code, func(r rune) bool { return !strings.ContainsRune(userLetters, r) })
	return code, len(code) == userLength && !wrong
}

// deviceAnswer is what a device gets to show (RFC 8628 §3.2).
type deviceAnswer struct {
	DeviceCode  string `json:"device_code"`
	UserCode    string `json:"user_code"`
	URI         string `json:"verification_uri"`
	URIComplete string `json:"verification_uri_complete"`
	ExpiresIn   int64  `json:"expires_in"`
	Interval    int    `json:"interval"`
}

// device is POST /oauth/device (RFC 8628 §3.1).
func (s *Server) device(w http.ResponseWriter, r *http.Request) error {
	form, client, err := s.aboutToken(w, r)
	if err != nil {
		return err
	}
	if err := client.mayPoll(); err != nil {
		return err
	}
	if resource := form.Get("resource"); resource != "" && !isResource(resource, s.resource) {
		return refuse("invalid_target", "tokens are issued for "+s.resource+" only")
	}
	scopes, err := client.asks(form.Get("scope"))
	if err != nil {
		return err
	}
	code := opaque.New(prefixDevice)
	user, err := newUserCode()
	if err != nil {
		return err
	}
	now := s.clock()
	err = s.db.System(r.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return insertDevice(tx, deviceRow{
			Hash: hash(code), UserHash: hash(user), ClientID: client.ID, Scopes: scopeWords(scopes), Resource: s.resource,
			IntervalS: deviceInterval, CreatedAt: now, ExpiresAt: now.Add(deviceTTL),
		})
	})
	if err != nil {
		return err
	}
	page := s.issuer + "/device"
	writeJSON(w, http.StatusOK, deviceAnswer{
		DeviceCode: code, UserCode: shownCode(user), URI: page, URIComplete: page + "?user_code=" + shownCode(user),
		ExpiresIn: int64(deviceTTL.Seconds()), Interval: deviceInterval,
	})
	return nil
}

// mayPoll refuses a client that did not register for this grant.
func (c clientRow) mayPoll() error {
	if slices.Contains(c.GrantTypes, grantDevice) {
		return nil
	}
	return refuse("unauthorized_client", "register with grant_types that contain "+grantDevice)
}

// asks are the scopes that a client asks for: those it names, else those it registered, else all.
func (c clientRow) asks(text string) ([]tenant.Scope, error) {
	scopes, foreign := parseScopes(text)
	if c.WorkspaceID != nil {
		// Whoever registered it for the workspace said how far it may go.
		asked := len(scopes)
		scopes = slices.DeleteFunc(scopes, func(scope tenant.Scope) bool { return !slices.Contains(c.Scopes, string(scope)) })
		foreign = foreign || asked > 0
	}
	switch {
	case len(scopes) > 0:
		return scopes, nil
	case foreign && c.WorkspaceID != nil:
		return nil, refuse("invalid_scope", "this client may ask for "+strings.Join(c.Scopes, " "))
	case foreign:
		return nil, refuse("invalid_scope", "scopes are "+joinScopes(tenant.Scopes()))
	case len(c.Scopes) > 0:
		return scopesOf(c.Scopes), nil
	}
	return tenant.Scopes(), nil
}

// deviceFate is what a poll is answered.
type deviceFate int

const (
	deviceUnknown deviceFate = iota
	devicePending
	deviceHasty // polled sooner than it was told to
	deviceExpired
	deviceRefused
	deviceAllowed
)

// judgeDevice decides about a poll by this client. Haste counts only while there is nothing to tell.
func judgeDevice(d deviceRow, client string, now time.Time) deviceFate {
	switch {
	case d.ClientID != client || d.UsedAt != nil:
		return deviceUnknown
	case !d.ExpiresAt.After(now):
		return deviceExpired
	case d.GrantID != nil:
		return deviceAllowed
	case d.AnsweredAt != nil:
		return deviceRefused
	case d.PolledAt != nil && now.Sub(*d.PolledAt) < time.Duration(d.IntervalS)*time.Second:
		return deviceHasty
	}
	return devicePending
}

// refusal is the error of a fate (RFC 8628 §3.5).
func (f deviceFate) refusal() *refusal {
	switch f {
	case devicePending:
		return refuse("authorization_pending", "the person has not answered yet")
	case deviceHasty:
		return refuse("slow_down", "wait 5 seconds longer between two requests")
	case deviceExpired:
		return refuse("expired_token", "nobody answered in time; start again")
	case deviceRefused:
		return refuse("access_denied", "the person said no")
	default:
		return refuse("invalid_grant", "the device code is unknown, used or another client's; start again")
	}
}

// redeemDevice answers a poll (RFC 8628 §3.4).
func (s *Server) redeemDevice(ctx context.Context, client clientRow, form url.Values) (tokenAnswer, error) {
	if err := client.mayPoll(); err != nil {
		return tokenAnswer{}, err
	}
	if !form.Has("device_code") {
		return tokenAnswer{}, refuse("invalid_request", "device_code is missing")
	}
	var answer tokenAnswer
	var fate deviceFate
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		row, found, err := deviceByCode(tx, form.Get("device_code"))
		if err != nil {
			return err
		}
		now := s.clock() // after the wait for another poll
		fate = deviceUnknown
		if found {
			fate = judgeDevice(row, client.ID, now)
		}
		switch fate {
		case devicePending:
			return pollDevice(tx, row, row.IntervalS, now)
		case deviceHasty:
			return pollDevice(tx, row, row.IntervalS+slowerBy, now)
		case deviceAllowed:
			answer, fate, err = s.firstTokens(tx, client, row, now)
			return err
		default:
			return nil
		}
	})
	if err != nil {
		return tokenAnswer{}, err
	}
	if fate != deviceAllowed {
		return tokenAnswer{}, fate.refusal()
	}
	return answer, nil
}

// firstTokens uses the device code up. A grant that ended since the person gave it gives nothing.
func (s *Server) firstTokens(tx *pg.Tx, client clientRow, row deviceRow, now time.Time) (tokenAnswer, deviceFate, error) {
	if err := useDevice(tx, row, now); err != nil {
		return tokenAnswer{}, deviceUnknown, err
	}
	grant, err := findGrant(tx, *row.GrantID)
	if err != nil {
		return tokenAnswer{}, deviceUnknown, err
	}
	if grant.RevokedAt != nil {
		return tokenAnswer{}, deviceRefused, nil
	}
	answer, err := s.issuePair(tx, client, grant.ID, grant.Scopes, now)
	return answer, deviceAllowed, err
}
