package oauth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/screen"
)

// clientMetadata is what a client says about itself, in a registration (RFC 7591 §2) and in a metadata document alike.
type clientMetadata struct {
	ClientID        string   `json:"client_id"`
	Name            string   `json:"client_name"`
	URI             string   `json:"client_uri"`
	RedirectURIs    []string `json:"redirect_uris"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	AuthMethod      string   `json:"token_endpoint_auth_method"`
	ApplicationType string   `json:"application_type"`
	Scope           string   `json:"scope"`
}

// registration is the answer to a registration (RFC 7591 §3.2.1).
type registration struct {
	ClientID        string   `json:"client_id"`
	IssuedAt        int64    `json:"client_id_issued_at"`
	Secret          string   `json:"client_secret,omitempty"`
	SecretExpiresAt *int     `json:"client_secret_expires_at,omitempty"`
	Name            string   `json:"client_name"`
	URI             string   `json:"client_uri,omitempty"`
	RedirectURIs    []string `json:"redirect_uris"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	AuthMethod      string   `json:"token_endpoint_auth_method"`
	ApplicationType string   `json:"application_type"`
	Scope           string   `json:"scope"`
}

// register is POST /oauth/register. It is open to everybody: a client gets nothing by registering but the right to ask.
func (s *Server) register(w http.ResponseWriter, r *http.Request) error {
	raw, err := readBody(w, r)
	if err != nil {
		return err
	}
	m, err := decodeMetadata(raw)
	if err != nil {
		return err
	}
	if m.AuthMethod == "" {
		m.AuthMethod = authBasic // RFC 7591 §2
	}
	row, err := m.row()
	if err != nil {
		return err
	}
	row.Kind, row.CreatedAt = kindRegistered, s.clock()
	row.ID = opaque.New(prefixClient)
	answer := registration{
		ClientID: row.ID, IssuedAt: row.CreatedAt.Unix(), Name: row.Name, URI: row.URI, RedirectURIs: row.RedirectURIs,
		GrantTypes: row.GrantTypes, ResponseTypes: []string{"code"}, AuthMethod: row.AuthMethod,
		ApplicationType: row.ApplicationType, Scope: strings.Join(row.Scopes, " "),
	}
	if !row.public() {
		answer.Secret = opaque.New(prefixSecret)
		row.SecretHash, answer.SecretExpiresAt = hash(answer.Secret), new(int)
	}
	if err := s.db.System(r.Context(), uuid.Nil, func(tx *pg.Tx) error { return saveClient(tx, row) }); err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, answer)
	return nil
}

// decodeMetadata reads metadata. Members that we do not know are ignored, as RFC 7591 §2 wants; known ones of a wrong type
// are refused.
func decodeMetadata(raw []byte) (clientMetadata, error) {
	var m clientMetadata
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return m, refuse("invalid_client_metadata", "send the metadata as one JSON object")
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, refuse("invalid_client_metadata", "a member has a wrong type; redirect_uris, grant_types and response_types are lists of strings")
	}
	return m, nil
}

// row checks metadata and brings it into the form that is kept. Unknown scopes and grants are dropped, not refused: clients
// send what they send to everybody.
func (m clientMetadata) row() (clientRow, error) {
	row := clientRow{AuthMethod: m.AuthMethod, ApplicationType: m.ApplicationType, RedirectURIs: m.RedirectURIs}
	if row.RedirectURIs == nil {
		row.RedirectURIs = []string{} // only a client of devices has none
	}
	for i, uri := range m.RedirectURIs {
		if err := checkRedirect(uri); err != nil {
			return row, refuse("invalid_redirect_uri", printable(fmt.Sprintf("redirect_uris[%d] %v", i, err), 200))
		}
	}
	if !slices.Contains(authMethods(), m.AuthMethod) {
		return row, refuse("invalid_client_metadata", "token_endpoint_auth_method is one of "+strings.Join(authMethods(), ", "))
	}
	if len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code") {
		return row, refuse("invalid_client_metadata", "response_types has to contain code")
	}
	if row.GrantTypes = usualGrants(); len(m.GrantTypes) > 0 {
		row.GrantTypes = known(m.GrantTypes)
	}
	code := slices.Contains(row.GrantTypes, grantCode)
	if !code && !slices.Contains(row.GrantTypes, grantDevice) {
		return row, refuse("invalid_client_metadata", "grant_types has to contain authorization_code or "+grantDevice)
	}
	if n := len(m.RedirectURIs); n > redirectsMax || n == 0 && code {
		return row, refuse("invalid_redirect_uri", fmt.Sprintf("register 1 to %d redirect_uris", redirectsMax))
	}
	switch m.ApplicationType {
	case "native", "web":
	case "":
		row.ApplicationType = "web" // OpenID Connect Dynamic Client Registration 1.0 §2
	default:
		return row, refuse("invalid_client_metadata", "application_type is native or web")
	}
	scopes, _ := parseScopes(m.Scope)
	row.Scopes = scopeWords(scopes)
	row.Name = displayName(m.Name)
	if u, err := url.Parse(m.URI); err == nil && len(m.URI) <= redirectLength && checkRedirect(m.URI) == nil && u.Scheme == "https" {
		row.URI = m.URI
	}
	return row, nil
}

// known is the part of the grants that exists here, in our order.
func known(grants []string) []string {
	return slices.DeleteFunc(grantTypes(), func(grant string) bool { return !slices.Contains(grants, grant) })
}

// nameMax bounds the name of a client, in characters.
const nameMax = 120

// displayName makes the name that a client gives itself safe to show: without hidden characters, on one line, bounded.
func displayName(name string) string {
	name = strings.ReplaceAll(name, "\x00", "")
	name, _ = screen.Strip(name)
	name = oneLine(name)
	if utf8.RuneCountInString(name) > nameMax {
		name = string([]rune(name)[:nameMax-1]) + "…"
	}
	if name == "" {
		return "Unnamed application"
	}
	return name
}
