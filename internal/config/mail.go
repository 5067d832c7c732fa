package config

import (
	"net"
	"net/mail"
)

// How the connection to the mail server is kept private; what is asked for is never done without.
const (
	TLSStart     = "starttls"
	TLSFromStart = "tls"
	TLSNone      = "none"
)

// completeMail checks the settings of the mail server, which go together.
func (c *Config) completeMail(say func(format string, args ...any)) {
	if c.SMTPHost == "" {
		for name, value := range map[string]string{
			"DRIFTLESS_SMTP_USER": c.SMTPUser, "DRIFTLESS_SMTP_PASSWORD": c.SMTPPassword, "DRIFTLESS_SMTP_FROM": c.SMTPFrom,
		} {
			if value != "" {
				say("%s: there is no DRIFTLESS_SMTP_HOST to use it with", name)
			}
		}
		return
	}
	port := 587
	switch c.SMTPTLS {
	case TLSStart:
	case TLSFromStart:
		port = 465
	case TLSNone:
		port = 25
		if ip := net.ParseIP(c.SMTPHost); c.SMTPHost != "localhost" && (ip == nil || !ip.IsLoopback()) {
			say("DRIFTLESS_SMTP_TLS: none is for a mail server on this machine, and %q is another; use starttls or tls", c.SMTPHost)
		}
	default:
		say("DRIFTLESS_SMTP_TLS: %q is not one of starttls, tls, none", c.SMTPTLS)
	}
	if c.SMTPPort == 0 {
		c.SMTPPort = port
	}
	if c.SMTPPort < 1 || c.SMTPPort > 65535 {
		say("DRIFTLESS_SMTP_PORT: %d is not a port", c.SMTPPort)
	}
	if c.SMTPFrom == "" {
		say("DRIFTLESS_SMTP_FROM: a mail server needs an address that mail comes from")
	} else if _, err := mail.ParseAddress(c.SMTPFrom); err != nil {
		say("DRIFTLESS_SMTP_FROM: %q is not an address such as Driftless <driftless@example.com>", c.SMTPFrom)
	}
	if (c.SMTPUser == "") != (c.SMTPPassword == "") {
		say("DRIFTLESS_SMTP_USER: it goes together with DRIFTLESS_SMTP_PASSWORD; set both or none")
	}
}
