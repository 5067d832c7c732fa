package oauth

import (
	"net/http"
	"path"
	"time"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

const devicePath = "/api/v1/oauth/device/"

// deviceView is what a person is shown about a device. They compare the code with the one on its screen: a code that came by
// mail or chat belongs to somebody else's device (RFC 8628 §5.4).
type deviceView struct {
	UserCode   string             `json:"user_code"`
	Client     consentClient      `json:"client"`
	Scopes     []consentScope     `json:"scopes"`
	Workspaces []consentWorkspace `json:"workspaces"`
	ExpiresAt  time.Time          `json:"expires_at"`
}

type deviceResult struct {
	Approved bool `json:"approved"`
}

func noDevice() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "no device waits with this code",
		"compare it with the one the device shows; it can be used for ten minutes")
}

// waiting finds a device that waits for an answer, and its client.
func (s *Server) waiting(tx *pg.Tx, r *http.Request) (code string, row deviceRow, client clientRow, err error) {
	code, ok := typedCode(path.Base(r.URL.Path))
	if !ok {
		return code, row, client, noDevice()
	}
	row, found, err := deviceByUserCode(tx, code)
	switch {
	case err != nil:
		return code, row, client, err
	case !found || !row.ExpiresAt.After(s.clock()):
		return code, row, client, noDevice()
	case row.AnsweredAt != nil:
		return code, row, client, fault.New(fault.Conflict, fault.CodeStateConflict, "this code has been answered already",
			"look at the device; if it is not connected, start again there")
	}
	client, found, err = findClient(tx, row.ClientID)
	if err == nil && !found {
		err = noDevice()
	}
	return code, row, client, err
}

// askDevice is GET /api/v1/oauth/device/{user_code}.
func (s *Server) askDevice(r *http.Request, caller tenant.Caller) (any, error) {
	var view deviceView
	err := s.db.System(r.Context(), caller.Person, func(tx *pg.Tx) error {
		code, row, client, err := s.waiting(tx, r)
		if err != nil {
			return err
		}
		view = deviceView{
			UserCode: shownCode(code), Client: client.view(), Scopes: describeScopes(row.Scopes),
			Workspaces: describeWorkspaces(client.reach(caller.Memberships)), ExpiresAt: row.ExpiresAt.UTC(),
		}
		return nil
	})
	return view, err
}

// answerDevice is POST /api/v1/oauth/device/{user_code}. The first answer counts.
func (s *Server) answerDevice(r *http.Request, caller tenant.Caller) (any, error) {
	in, err := decodeAnswer(r)
	if err != nil {
		return nil, err
	}
	err = s.db.System(r.Context(), caller.Person, func(tx *pg.Tx) error {
		_, row, client, err := s.waiting(tx, r)
		if err != nil {
			return err
		}
		now := s.clock()
		if !in.Approve {
			return answerDevice(tx, row, nil, now)
		}
		scopes, err := chosenScopes(in.Scopes, scopesOf(row.Scopes))
		if err != nil {
			return err
		}
		workspaces, err := chosenWorkspaces(in.Workspaces, client.reach(caller.Memberships))
		if err != nil {
			return err
		}
		grant, err := s.allow(tx, client, caller.Person, scopes, workspaces, now)
		if err != nil {
			return err
		}
		return answerDevice(tx, row, &grant, now)
	})
	return deviceResult{Approved: in.Approve}, err
}
