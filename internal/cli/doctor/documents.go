package doctor

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const wellKnown = "/.well-known/"

// The documents that lead to sign-in: the protected resource (RFC 9728 §3.1, clients try both) and the authorization server
// (RFC 8414 §3, OpenID Connect Discovery; clients take the first that there is).
const (
	resourceSuffixed = wellKnown + "oauth-protected-resource/mcp"
	resourceRoot     = wellKnown + "oauth-protected-resource"
	serverOAuth      = wellKnown + "oauth-authorization-server"
	serverOpenID     = wellKnown + "openid-configuration"
)

// document is a JSON object that was read.
type document map[string]any

func (d document) text(name string) string { s, _ := d[name].(string); return s }

func (d document) texts(name string) (all []string) {
	list, _ := d[name].([]any)
	for _, item := range list {
		if s, is := item.(string); is {
			all = append(all, s)
		}
	}
	return all
}

// first is the first of the documents that could be read.
func (v *visit) first(paths ...string) document {
	for _, path := range paths {
		if d := v.docs[path]; d != nil {
			return d
		}
	}
	return nil
}

// documents reads all four and explains those that cannot be.
func documents(ctx context.Context, v *visit) []Finding {
	var login, page, missing, other []string
	for _, path := range []string{resourceSuffixed, resourceRoot, serverOAuth, serverOpenID} {
		a := v.ask(ctx, http.MethodGet, path, nil, "Accept", "application/json")
		o, is := a.object()
		switch {
		case a.status == http.StatusOK && is:
			v.docs[path] = o
		case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
			login = append(login, a.String())
		case a.redirect():
			login = append(login, fmt.Sprintf("%s and leads to %s", a, quote(a.header.Get("Location"))))
		case a.status == http.StatusOK && a.page():
			page = append(page, a.String()+" with a page")
		case a.status == http.StatusNotFound:
			missing = append(missing, path)
		default:
			other = append(other, a.String())
		}
	}
	var found []Finding
	if len(login) > 0 {
		found = append(found, Finding{
			ID: "metadata-login", Severity: Broken, Seen: strings.Join(login, "; "),
			Why:  "clients read these documents before anybody has signed in",
			Cure: "take " + wellKnown + " out of the login, the redirects and the firewall of the proxy", Nginx: "location /.well-known/ { auth_basic off; proxy_pass http://driftless; }",
		})
	}
	if len(page) > 0 {
		found = append(found, Finding{
			ID: "metadata-page", Severity: Broken, Seen: strings.Join(page, "; "),
			Why:  "clients expect JSON and fail on the page of an application that answers every address",
			Cure: "pass " + wellKnown + " to the server before the fallback of the application", Nginx: "location ^~ /.well-known/ { proxy_pass http://driftless; }",
		})
	}
	if len(other) > 0 {
		found = append(found, Finding{
			ID: "metadata", Severity: Broken, Seen: strings.Join(other, "; "), Why: "clients cannot find out where to sign in",
			Cure: "pass " + wellKnown + " to the server unchanged", Nginx: "location ^~ /.well-known/ { proxy_pass http://driftless; }",
		})
	}
	if len(missing) > 0 {
		f := Finding{
			ID: "metadata-missing", Severity: Warning, Seen: "nothing at " + strings.Join(missing, ", "),
			Why:  "some clients look only there",
			Cure: "pass all of " + wellKnown + " to the server, with what follows", Nginx: "location ^~ /.well-known/ { proxy_pass http://driftless; }",
		}
		// The challenge names the first one, and without any of a pair nobody gets further.
		if slices.Contains(missing, resourceSuffixed) || slices.Contains(missing, serverOAuth) && slices.Contains(missing, serverOpenID) {
			f.Severity = Broken
		}
		found = append(found, f)
	}
	return found
}

// publicAddress compares what the server calls itself with the address in use, byte for byte, as clients do (RFC 8414 §3.3).
func publicAddress(_ context.Context, v *visit) []Finding {
	var named []string
	say := func(what, address string) {
		if address != "" && origin(address) != v.origin() {
			named = append(named, what+" "+quote(address))
		}
	}
	resource, server := v.first(resourceSuffixed, resourceRoot), v.first(serverOAuth, serverOpenID)
	say("the resource is", resource.text("resource"))
	for _, s := range resource.texts("authorization_servers") {
		say("its authorization server is", s)
	}
	say("the issuer is", server.text("issuer"))
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "registration_endpoint"} {
		say("the "+name+" is", server.text(name))
	}
	_, where, _ := strings.Cut(v.bare.header.Get(header401), `resource_metadata="`)
	where, _, _ = strings.Cut(where, `"`)
	say("the challenge leads to", where)
	if len(named) == 0 {
		if issuer := server.text("issuer"); issuer != "" && issuer != v.server() && slices.Contains(resource.texts("authorization_servers"), v.server()) {
			named = append(named, "the issuer is "+quote(issuer)+" and the resource names "+quote(v.server()))
		}
	}
	if len(named) == 0 {
		return nil
	}
	return []Finding{{
		ID: "public-url", Severity: Broken, Seen: "in use is " + v.server() + ", but " + strings.Join(named, ", "),
		Why:  "clients refuse a server that calls itself something else than the address they were given",
		Cure: "set DRIFTLESS_PUBLIC_URL to " + v.server() + ", or give clients the address that the server names", Nginx: "proxy_set_header Host $host;",
	}}
}

func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// resource compares the name of the resource with the endpoint: the same server, but another path or a slash too many.
func resource(_ context.Context, v *visit) []Finding {
	var wrong []string
	for _, path := range []string{resourceSuffixed, resourceRoot} {
		if name := v.docs[path].text("resource"); name != "" && name != v.endpoint() && origin(name) == v.origin() {
			wrong = append(wrong, path+" names "+quote(name))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return []Finding{{
		ID: "resource", Severity: Broken, Seen: strings.Join(wrong, "; ") + ", and clients were given " + quote(v.endpoint()),
		Why:  "clients ask for a token for the address they were given and refuse a document about another",
		Cure: "serve the document as the server makes it, and give clients the endpoint without a slash at its end",
	}}
}

// needed are the members of the metadata that clients cannot do without.
var needed = []string{"issuer", "authorization_endpoint", "token_endpoint", "registration_endpoint", "response_types_supported", "code_challenge_methods_supported"}

// metadata looks for what is missing in the documents, or null, which several clients fail on.
func metadata(_ context.Context, v *visit) []Finding {
	var wrong []string
	for _, path := range []string{resourceSuffixed, resourceRoot, serverOAuth, serverOpenID} {
		var null []string
		for name, value := range v.docs[path] {
			if value == nil {
				null = append(null, name)
			}
		}
		slices.Sort(null)
		for _, name := range null {
			wrong = append(wrong, quote(name)+" is null in "+path)
		}
	}
	if d := v.first(resourceSuffixed, resourceRoot); d != nil && len(d.texts("authorization_servers")) == 0 {
		wrong = append(wrong, "the protected resource names no authorization server")
	}
	if d := v.first(serverOAuth, serverOpenID); d != nil {
		for _, name := range needed {
			if _, there := d[name]; !there {
				wrong = append(wrong, name+" is missing")
			}
		}
		if !slices.Contains(d.texts("code_challenge_methods_supported"), "S256") {
			wrong = append(wrong, "code_challenge_methods_supported lacks S256")
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return []Finding{{
		ID: "metadata-incomplete", Severity: Broken, Seen: strings.Join(wrong, "; "),
		Why:  "clients check these documents and refuse to sign in, or stop with an error",
		Cure: "serve the documents as the server makes them, and let nothing rewrite them",
	}}
}
