package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"
)

// ping is a call that needs no credential to be refused properly.
const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// skewMax is how far two clocks may be apart.
const skewMax = time.Minute

func address(_ context.Context, v *visit) []Finding {
	if v.base.Scheme == "https" || v.local() {
		return nil
	}
	return []Finding{{
		ID: "plain-http", Severity: Broken, Seen: v.server() + " is plain http on another machine",
		Why:  "OAuth needs https beyond one's own machine: clients refuse to sign in, and tokens would travel in the open",
		Cure: "put a proxy with a certificate before the server and set DRIFTLESS_PUBLIC_URL to its https address", Nginx: "listen 443 ssl;",
	}}
}

// network asks for the first time.
func network(ctx context.Context, v *visit) []Finding {
	v.bare = v.ask(ctx, http.MethodPost, "/mcp", []byte(ping))
	if v.bare.err == nil {
		v.note = fmt.Sprintf("answers in %d ms", v.bare.took.Milliseconds())
		return nil
	}
	f := Finding{
		ID: "unreachable", Severity: Broken, Seen: v.bare.String(), Why: "clients get no answer at all",
		Cure: "start the server with 'driftless serve', or correct the address",
	}
	var (
		name    *net.DNSError
		invalid x509.CertificateInvalidError
		wrapped *tls.CertificateVerificationError
		plain   tls.RecordHeaderError
		waited  net.Error
	)
	switch err := v.bare.err; {
	case errors.As(err, &name):
		f.Cure = "correct the name, or give it an address in the DNS that clients ask"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		f.ID, f.Why, f.Cure = "certificate", "clients refuse a certificate that is not valid now", "renew the certificate, and check the clocks of both machines"
	case errors.As(err, &wrapped):
		f.ID, f.Why = "certificate", "clients refuse a certificate that they cannot verify, and most cannot be told to accept one"
		f.Cure, f.Nginx = "serve a certificate of a public authority for this name, with the whole chain", "ssl_certificate fullchain.pem;"
	case errors.As(err, &plain), errors.Is(err, http.ErrSchemeMismatch):
		f.ID, f.Cure = "certificate", "use http:// in the address, or the port that has TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
	case errors.As(err, &waited) && waited.Timeout():
		f.Cure = "see whether a firewall drops the connection, or what the server waits for"
	}
	return []Finding{f}
}

// redirects finds those of the endpoint. Clients turn the POST into a GET, or leave the credential behind.
func redirects(_ context.Context, v *visit) []Finding {
	if !v.bare.redirect() {
		return nil
	}
	return []Finding{{
		ID: "redirect", Severity: Broken, Seen: fmt.Sprintf("%s and leads to %s", v.bare, quote(v.bare.header.Get("Location"))),
		Why:  "a redirected POST becomes a GET and loses its credential",
		Cure: "give clients the address at the end of the redirect, and let the proxy redirect pages alone", Nginx: "location = /mcp { proxy_pass http://driftless; }",
	}}
}

func gateway(_ context.Context, v *visit) []Finding {
	return unavailable(v.bare)
}

// unavailable explains the answers of a proxy that got none itself.
func unavailable(a answer) []Finding {
	switch a.status {
	case http.StatusGatewayTimeout:
		return []Finding{{
			ID: "timeout", Severity: Broken, Seen: a.String(), Why: "the proxy gives up before the server has answered",
			Cure: "let the proxy wait longer than the slowest call, such as five minutes", Nginx: "proxy_read_timeout 300s;",
		}}
	case http.StatusBadGateway, http.StatusServiceUnavailable:
		return []Finding{{
			ID: "gateway", Severity: Broken, Seen: a.String(), Why: "the proxy does not reach the server",
			Cure: "start the server, and let the proxy pass to the address in DRIFTLESS_ADDR", Nginx: "proxy_pass http://127.0.0.1:8080;",
		}}
	}
	return nil
}

// hostName finds a Host header that the server does not take for its own, which it refuses because of DNS rebinding.
func hostName(_ context.Context, v *visit) []Finding {
	if v.bare.status != http.StatusForbidden {
		return nil
	}
	if o, is := v.bare.object(); is && o["code"] == "POLICY_FORBIDS" {
		return []Finding{{
			ID: "host", Severity: Broken, Seen: fmt.Sprintf("%s: %s", v.bare, quote(fmt.Sprint(o["message"]))),
			Why:  "the server refuses requests for a host name that it does not know, which is how it keeps foreign pages out",
			Cure: "let the proxy pass the Host header on and set DRIFTLESS_PUBLIC_URL to the address that clients use", Nginx: "proxy_set_header Host $host;",
		}}
	}
	return []Finding{{
		ID: "blocked", Severity: Broken, Seen: v.bare.String() + " and not as the server does", Why: "something before the server refuses clients",
		Cure: "exempt /mcp, /oauth/ and /.well-known/ from the firewall and the login of the proxy",
	}}
}

func clock(_ context.Context, v *visit) []Finding {
	date, err := http.ParseTime(v.bare.header.Get("Date"))
	if err != nil {
		return nil
	}
	apart := v.Now().Sub(date).Round(time.Second)
	if apart.Abs() <= skewMax {
		return nil
	}
	return []Finding{{
		ID: "clock", Severity: Warning, Seen: fmt.Sprintf("the clock of the server is %s away from the one here", apart.Abs()),
		Why:  "clients think that tokens live longer or shorter than they do, and certificates may seem invalid",
		Cure: "synchronise both clocks (NTP)",
	}}
}
