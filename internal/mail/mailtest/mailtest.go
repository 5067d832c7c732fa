// Package mailtest owns the mail server of tests: a real one, on a port of its own, which keeps what it is given.
//
// It refuses to deliver anything, and to stand in for the mailer: what is tested talks to it over the network.
package mailtest

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// patience is how long a test waits for a mail.
const patience = time.Minute

// Mail is a mail as the server took it.
type Mail struct {
	From   string
	To     []string
	Header mail.Header
	// Text and HTML are its two forms, decoded.
	Text, HTML string
	// Raw is the mail as it was sent; TLS says whether it came over it, User who signed in.
	Raw  string
	TLS  bool
	User string
}

// Server is a mail server. Its address is Host and Port.
type Server struct {
	Host string
	Port int

	mu      sync.Mutex
	inboxes map[string]chan Mail
	refuse  map[string][]*smtp.SMTPError
	wants   string
}

// Start runs a mail server without TLS until the test ends.
func Start(t testing.TB) *Server { return start(t, nil, false) }

// StartTLS runs one with this certificate: TLS from the first byte, or begun by STARTTLS.
func StartTLS(t testing.TB, certificate tls.Certificate, atOnce bool) *Server {
	return start(t, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, atOnce)
}

func start(t testing.TB, secured *tls.Config, atOnce bool) *Server {
	t.Helper()
	s := &Server{inboxes: map[string]chan Mail{}, refuse: map[string][]*smtp.SMTPError{}}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, conn: c}, nil
	}))
	server.Domain, server.AllowInsecureAuth = "mail.test", true
	server.ErrorLog = quiet{}
	if !atOnce {
		server.TLSConfig = secured
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	s.Host, s.Port = address.IP.String(), address.Port
	if atOnce {
		l = tls.NewListener(l, secured)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() {
		// A server that did not begin yet does not know its listener.
		if err := errors.Join(server.Close(), l.Close()); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if err := <-ended; err != nil && !errors.Is(err, net.ErrClosed) && !errors.Is(err, smtp.ErrServerClosed) {
			t.Error(err)
		}
	})
	return s
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// Wants makes the server take mail from this account alone, with the password "hush".
func (s *Server) Wants(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wants = user
}

// Refuse makes the server answer this code to the next mails for an address, once for each code.
func (s *Server) Refuse(to string, codes ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, code := range codes {
		s.refuse[to] = append(s.refuse[to], &smtp.SMTPError{
			Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: "not now, " + to,
		})
	}
}

func (s *Server) inbox(of string) chan Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inboxes[of] == nil {
		s.inboxes[of] = make(chan Mail, 64)
	}
	return s.inboxes[of]
}

// Next waits for the next mail to this address.
func (s *Server) Next(t testing.TB, to string) Mail {
	t.Helper()
	select {
	case m := <-s.inbox(to):
		return m
	case <-time.After(patience):
		t.Fatalf("no mail came to %s", to)
		return Mail{}
	}
}

// Waiting is how many mails to this address came and were not looked at.
func (s *Server) Waiting(to string) int { return len(s.inbox(to)) }

// session is one connection.
type session struct {
	server *Server
	conn   *smtp.Conn
	mail   Mail
	user   string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.server.mu.Lock()
		defer s.server.mu.Unlock()
		if user != s.server.wants || password != "hush" {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "no such account: " + user}
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.wants != s.user {
		return smtp.ErrAuthRequired
	}
	s.mail = Mail{From: from, User: s.user}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if left := s.server.refuse[to]; len(left) > 0 {
		s.server.refuse[to] = left[1:]
		return left[0]
	}
	s.mail.To = append(s.mail.To, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m := s.mail
	m.Raw = string(raw)
	_, m.TLS = s.conn.TLSConnectionState()
	if err := m.read(raw); err != nil {
		return fmt.Errorf("read a mail: %w", err)
	}
	for _, to := range m.To {
		s.server.inbox(to) <- m
	}
	return nil
}

func (s *session) Reset()        { s.mail = Mail{} }
func (s *session) Logout() error { return nil }

// read takes the mail apart as a mail program does.
func (m *Mail) read(raw []byte) error {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	m.Header = message.Header
	kind, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if kind != "multipart/alternative" {
		return fmt.Errorf("it is %s", kind)
	}
	for parts := multipart.NewReader(message.Body, parameters["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return err
		}
		switch kind := part.Header.Get("Content-Type"); {
		case strings.HasPrefix(kind, "text/plain"):
			m.Text = string(text)
		case strings.HasPrefix(kind, "text/html"):
			m.HTML = string(text)
		}
	}
}

// Subject is the subject, decoded.
func (m Mail) Subject() string {
	text, err := (&mime.WordDecoder{}).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err.Error()
	}
	return text
}
