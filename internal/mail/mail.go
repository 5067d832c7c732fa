package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/textproto"
	"net/url"
	"time"

	"github.com/google/uuid"
	gomail "github.com/wneessen/go-mail"

	"driftless/internal/config"
)

// timeout is how long the mail server may take for one mail.
const timeout = 45 * time.Second

// ErrReceiver says that the mail server refuses the address for good: another attempt would be refused, too.
var ErrReceiver = errors.New("the mail server refuses the receiver")

// errNone is the answer of a server that is not configured to send mail.
var errNone = errors.New("no mail server is configured: DRIFTLESS_SMTP_HOST is empty")

// Mailer sends mail by the configured server. It is safe for concurrent use.
type Mailer struct {
	cfg  config.Config
	host string
	tls  *tls.Config
}

// New makes a mailer; nothing is connected before a mail is sent.
func New(c config.Config) *Mailer {
	m := &Mailer{cfg: c, host: "localhost", tls: &tls.Config{ServerName: c.SMTPHost, MinVersion: tls.VersionTLS12}}
	if u, err := url.Parse(c.PublicURL); err == nil && u.Hostname() != "" {
		m.host = u.Hostname()
	}
	return m
}

// Ready reports whether a mail server is configured.
func (m *Mailer) Ready() bool { return m.cfg.SMTPHost != "" }

// Send hands the message to the mail server, within 45 s. The error names no address and repeats nothing that the server said;
// it is ErrReceiver where trying again is in vain.
func (m *Mailer) Send(ctx context.Context, message Message) error {
	if !m.Ready() {
		return errNone
	}
	out, err := m.compose(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client, err := m.client(ctx)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, out)
	// What goes wrong after the server took the message, such as a goodbye without an answer, is no reason to send it again.
	if err == nil || out.IsDelivered() {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the mail server took too long, or this one stops: %w", ctx.Err())
	}
	return inOurWords(err)
}

func (m *Mailer) compose(message Message) (*gomail.Msg, error) {
	to, err := netmail.ParseAddress(message.To)
	if err != nil || to.Name != "" || to.Address != message.To {
		return nil, fmt.Errorf("%w: it is not an address", ErrReceiver)
	}
	from, err := netmail.ParseAddress(m.cfg.SMTPFrom)
	if err != nil {
		return nil, fmt.Errorf("read DRIFTLESS_SMTP_FROM: %w", err)
	}
	html, err := message.html()
	if err != nil {
		return nil, err
	}
	out := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	out.FromMailAddress(from)
	out.ToMailAddress(to)
	out.Subject(message.subject())
	out.SetDate()
	// The library would name the machine.
	out.SetMessageIDWithValue(uuid.NewString() + "@" + m.host)
	// So that no out-of-office note answers (RFC 3834 section 5).
	out.SetGenHeader("Auto-Submitted", "auto-generated")
	out.SetBodyString(gomail.TypeTextPlain, message.plain())
	out.AddAlternativeString(gomail.TypeTextHTML, html)
	return out, nil
}

// client is a client for one mail, whose connection ends with ctx.
func (m *Mailer) client(ctx context.Context) (*gomail.Client, error) {
	options := []gomail.Option{
		gomail.WithPort(m.cfg.SMTPPort), gomail.WithTimeout(timeout), gomail.WithTLSConfig(m.tls), gomail.WithHELO(m.helo()),
		gomail.WithDialContextFunc(m.dialer(ctx)),
	}
	switch m.cfg.SMTPTLS {
	case config.TLSFromStart:
		options = append(options, gomail.WithSSL())
	case config.TLSNone:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if m.cfg.SMTPUser != "" {
		// Without TLS the library gives a password to nobody but this machine.
		options = append(options, gomail.WithUsername(m.cfg.SMTPUser), gomail.WithPassword(m.cfg.SMTPPassword), gomail.WithOpportunisticSMTPAuth(
			gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthCramMD5, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	client, err := gomail.NewClient(m.cfg.SMTPHost, options...)
	if err != nil {
		return nil, fmt.Errorf("prepare to send a mail: %w", err)
	}
	return client, nil
}

// dialer connects so that the connection ends with the context of the mail. The library gives up on a server that does not answer
// after its timeout alone, and this one may have to stop before.
func (m *Mailer) dialer(mail context.Context) gomail.DialContextFunc {
	return func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		if m.cfg.SMTPTLS == config.TLSFromStart {
			conn, err = (&tls.Dialer{Config: m.tls}).DialContext(ctx, network, address)
		} else {
			conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
		}
		if err != nil {
			return nil, err
		}
		context.AfterFunc(mail, func() { _ = conn.Close() })
		return conn, nil
	}
}

// helo is how the server calls itself: its public name, or its address in brackets (RFC 5321 section 4.1.3).
func (m *Mailer) helo() string {
	ip := net.ParseIP(m.host)
	switch {
	case ip == nil:
		return m.host
	case ip.To4() != nil:
		return "[" + m.host + "]"
	}
	return "[IPv6:" + m.host + "]"
}

// inOurWords says what went wrong without what the server said: servers quote the address and the account there.
func inOurWords(err error) error {
	var refused *gomail.SendError
	var said *textproto.Error
	var certificate *tls.CertificateVerificationError
	var network *net.OpError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode() > 0:
		code := fmt.Sprintf("%d %s", refused.ErrorCode(), refused.EnhancedStatusCode())
		if refused.Reason == gomail.ErrSMTPRcptTo && !refused.IsTemp() {
			return fmt.Errorf("%w: it answered %s", ErrReceiver, code)
		}
		return fmt.Errorf("the mail server refused the mail at %q with %s", refused.Reason, code)
	case errors.As(err, &said):
		return fmt.Errorf("the mail server refused the connection or the sign-in with %d", said.Code)
	case errors.As(err, &certificate):
		return fmt.Errorf("the certificate of the mail server is not valid: %w", certificate)
	case errors.As(err, &network):
		return fmt.Errorf("the mail server cannot be reached: %w", network)
	}
	return errors.New("the mail server does not offer what DRIFTLESS_SMTP_TLS or DRIFTLESS_SMTP_USER asks for, or ended the connection")
}
