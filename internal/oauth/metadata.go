package oauth

import (
	"encoding/json"
	"net/http"
	"strings"

	"driftless/internal/tenant"
)

// resourceMetadata describes the protected resource (RFC 9728 §2).
type resourceMetadata struct {
	Resource      string   `json:"resource"`
	Name          string   `json:"resource_name"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported"`
	BearerMethods []string `json:"bearer_methods_supported"`
}

func (s *Server) resourceMetadata() resourceMetadata {
	return resourceMetadata{
		Resource: s.resource, Name: "Driftless", Servers: []string{s.issuer}, Scopes: scopeWords(tenant.Scopes()),
		BearerMethods: []string{"header"},
	}
}

// serverMetadata describes the authorization server (RFC 8414 §2).
type serverMetadata struct {
	Issuer                   string   `json:"issuer"`
	AuthorizationEndpoint    string   `json:"authorization_endpoint"`
	TokenEndpoint            string   `json:"token_endpoint"`
	RegistrationEndpoint     string   `json:"registration_endpoint"`
	RevocationEndpoint       string   `json:"revocation_endpoint"`
	IntrospectionEndpoint    string   `json:"introspection_endpoint"`
	DeviceEndpoint           string   `json:"device_authorization_endpoint"`
	ResponseTypes            []string `json:"response_types_supported"`
	ResponseModes            []string `json:"response_modes_supported"`
	GrantTypes               []string `json:"grant_types_supported"`
	ChallengeMethods         []string `json:"code_challenge_methods_supported"`
	TokenAuthMethods         []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods    []string `json:"revocation_endpoint_auth_methods_supported"`
	IntrospectionAuthMethods []string `json:"introspection_endpoint_auth_methods_supported"`
	Scopes                   []string `json:"scopes_supported"`
	IssParameter             bool     `json:"authorization_response_iss_parameter_supported"`
	ClientIDDocuments        bool     `json:"client_id_metadata_document_supported"`
	ServiceDocumentation     string   `json:"service_documentation"`
}

func (s *Server) serverMetadata() serverMetadata {
	return serverMetadata{
		Issuer:                   s.issuer,
		AuthorizationEndpoint:    s.issuer + "/oauth/authorize",
		TokenEndpoint:            s.issuer + "/oauth/token",
		RegistrationEndpoint:     s.issuer + "/oauth/register",
		RevocationEndpoint:       s.issuer + "/oauth/revoke",
		IntrospectionEndpoint:    s.issuer + "/oauth/introspect",
		DeviceEndpoint:           s.issuer + "/oauth/device",
		ResponseTypes:            []string{"code"},
		ResponseModes:            []string{"query"},
		GrantTypes:               grantTypes(),
		ChallengeMethods:         []string{"S256"},
		TokenAuthMethods:         authMethods(),
		RevocationAuthMethods:    authMethods(),
		IntrospectionAuthMethods: []string{authBasic, authPost},
		Scopes:                   append(scopeWords(tenant.Scopes()), offlineAccess),
		IssParameter:             true,
		ClientIDDocuments:        !s.cfg.Offline,
		ServiceDocumentation:     s.issuer + "/docs/",
	}
}

// document serves one metadata document. Metadata is public and the same for everybody.
func (s *Server) document(content any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		allowOrigins(w)
		switch r.Method {
		case http.MethodOptions:
			w.WriteHeader(http.StatusNoContent)
		case http.MethodGet, http.MethodHead:
			w.Header().Set("Cache-Control", "public, max-age=300")
			writeJSON(w, http.StatusOK, content)
		default:
			w.Header().Set("Allow", "GET, HEAD, OPTIONS")
			writeJSON(w, http.StatusMethodNotAllowed, refuse("invalid_request", "read this document with GET"))
		}
	})
}

// unknownDocument answers for documents that are not there. Clients probe for several and understand nothing but JSON.
func unknownDocument(w http.ResponseWriter, r *http.Request) {
	allowOrigins(w)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, http.StatusNotFound, refuse("not_found", "there is no such document"))
}

// Challenge builds the value of WWW-Authenticate for a refused request (RFC 6750 §3, RFC 9728 §5.1). errCode is "" where no
// token was sent. scopes are those that the operation needs; none stands for the whole working set, because most clients
// ask for exactly what the first challenge names.
func (s *Server) Challenge(errCode string, scopes []tenant.Scope, description string) string {
	if len(scopes) == 0 {
		scopes = tenant.Scopes()
	}
	var b strings.Builder
	b.WriteString("Bearer ")
	if errCode != "" {
		b.WriteString(`error=` + quoted(errCode) + `, `)
		if description != "" {
			b.WriteString(`error_description=` + quoted(description) + `, `)
		}
	}
	b.WriteString(`resource_metadata=` + quoted(s.issuer+wellKnown+"oauth-protected-resource/mcp"))
	b.WriteString(`, scope=` + quoted(joinScopes(scopes)))
	return b.String()
}

// quoted writes a quoted-string of RFC 9110 within what RFC 6750 §3 allows: printable ASCII without quote and backslash.
func quoted(text string) string {
	return `"` + strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '\\':
			return '\''
		case r < ' ' || r > '~':
			return ' '
		}
		return r
	}, text) + `"`
}

func writeJSON(w http.ResponseWriter, status int, content any) {
	raw, err := json.Marshal(content)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"error":"server_error"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n'))
}
