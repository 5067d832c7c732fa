package cli

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"

	"driftless/internal/fault"
)

// unreachable is the fault of a request that got no answer, with the cure where the reason is known.
func unreachable(at *url.URL, err error) *fault.Error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	// The error of the HTTP client repeats the address; only its reason is news.
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return fault.New(fault.Unavailable, fault.CodeUnavailable, fmt.Sprintf("%s://%s cannot be reached: %v", at.Scheme, at.Host, err),
		wayOut(at, err)).Because(err)
}

func wayOut(at *url.URL, err error) string {
	var (
		name      *net.DNSError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		plain     tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &name):
		return "check the spelling of DRIFTLESS_URL, and whether this machine is in the right network"
	case errors.As(err, &authority):
		return "install the certificate of the authority on this machine (SSL_CERT_FILE can name it), or serve one of a public authority"
	case errors.As(err, &host):
		return "use the name that the certificate is for, or get a certificate for this one"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "renew the certificate of the server, and check the clock of this machine"
	case errors.As(err, &plain), errors.Is(err, http.ErrSchemeMismatch):
		return "there is no TLS at this address: write http:// in DRIFTLESS_URL, or the port that has TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "start it with 'driftless serve', or set DRIFTLESS_URL to where it runs"
	case errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return "it takes too long to answer: see whether it is overloaded, or whether a firewall drops the connection"
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		if at.Scheme == "http" {
			return "the connection was ended: the server was stopped, or the address needs https://"
		}
		return "the connection was ended: the server was stopped; try again in a moment"
	}
	return "start it with 'driftless serve', or set DRIFTLESS_URL to where it runs"
}

func isTimeout(err error) bool {
	var waited net.Error
	return errors.As(err, &waited) && waited.Timeout()
}
