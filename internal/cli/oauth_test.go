package cli_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// browse stands in for a browser with a person who allows everything: it follows the redirects to the program.
func browse() int {
	answer, err := http.Get(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	return 0
}

// authorization stands in for the authorization server, without a memory: a code carries the challenge that it was asked for
// with. A sign-in in the browser gives an access token that is stale at once, so that the first call has to renew it.
func authorization(w http.ResponseWriter, r *http.Request) bool {
	base := "http://" + r.Host
	if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/oauth/") && r.URL.Path != "/oauth/register" {
		if err := r.ParseForm(); err != nil || r.PostForm.Get("client_id") != "dcl_cli" {
			protocolRefusal(w, "invalid_client")
			return true
		}
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		reply(w, fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":%q,"token_endpoint":%q,"registration_endpoint":%q,"revocation_endpoint":%q,"device_authorization_endpoint":%q}`,
			base, base+"/oauth/authorize", base+"/oauth/token", base+"/oauth/register", base+"/oauth/revoke", base+"/oauth/device"))
	case "/oauth/register":
		reply(w, `{"client_id":"dcl_cli"}`)
	case "/oauth/authorize":
		q := r.URL.Query()
		to, err := url.Parse(q.Get("redirect_uri"))
		if err != nil || q.Get("code_challenge_method") != "S256" {
			http.Error(w, "not a request", http.StatusBadRequest)
			return true
		}
		// An answer that is not to this request comes first; it must change nothing.
		forged := *to
		forged.RawQuery = url.Values{"code": {"forged"}, "state": {"forged"}, "iss": {base}}.Encode()
		if early, err := http.Get(forged.String()); err == nil {
			_ = early.Body.Close()
		}
		to.RawQuery = url.Values{"code": {q.Get("code_challenge")}, "state": {q.Get("state")}, "iss": {base}}.Encode()
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
	case "/oauth/device":
		reply(w, fmt.Sprintf(`{"device_code":"ddc_1","user_code":"BCDF-GHJK","verification_uri":%q,"expires_in":600,"interval":0}`, base+"/device"))
	case "/oauth/token":
		token(w, r.PostForm)
	case "/oauth/revoke":
		if r.PostForm.Get("token") != "drt_next" {
			protocolRefusal(w, "invalid_grant")
			return true
		}
		reply(w, `{}`)
	default:
		return false
	}
	return true
}

func token(w http.ResponseWriter, form url.Values) {
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	switch {
	case form.Get("grant_type") == "authorization_code" && form.Get("code") == base64.RawURLEncoding.EncodeToString(sum[:]):
		reply(w, `{"access_token":"dat_stale","token_type":"Bearer","refresh_token":"drt_first"}`)
	case form.Get("grant_type") == "refresh_token" && form.Get("refresh_token") == "drt_first":
		reply(w, `{"access_token":"dat_fresh","token_type":"Bearer","refresh_token":"drt_next"}`)
	case form.Get("device_code") == "ddc_1":
		reply(w, `{"access_token":"dat_fresh","token_type":"Bearer","refresh_token":"drt_next"}`)
	default:
		protocolRefusal(w, "invalid_grant")
	}
}

func protocolRefusal(w http.ResponseWriter, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = fmt.Fprintf(w, `{"error":%q,"error_description":"no"}`, code)
}
