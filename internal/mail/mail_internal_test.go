package mail

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	netmail "net/mail"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/config"
	"driftless/internal/mail/mailtest"
)

// receiver is an address of a test of its own.
func receiver(t *testing.T) string {
	return strings.ToLower(strings.NewReplacer("/", ".", "_", ".", "#", ".").Replace(t.Name())) + "@people.test"
}

func mailer(s *mailtest.Server, change ...func(*config.Config)) *Mailer {
	c := config.Config{
		PublicURL: "https://context.example.com", SMTPHost: s.Host, SMTPPort: s.Port, SMTPFrom: "Driftless <from@context.example.com>",
		SMTPTLS: config.TLSNone,
	}
	for _, f := range change {
		f(&c)
	}
	return New(c)
}

func greeting(to string) Message {
	return Message{
		To: to, Subject: "Grüße from ‘Ledger’", Text: []string{"Ada <b>invites</b> you."}, Label: "Join", Link: "https://context.example.com/invite/s3cr3t",
		After: []string{"It works once."},
	}
}

// certificate is one that a mail server on loopback may show, and who vouches for it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

func TestAMailArrivesAsTextAndAsAPage(t *testing.T) {
	t.Parallel()
	s, to := mailtest.Start(t), receiver(t)
	if err := mailer(s).Send(t.Context(), greeting(to)); err != nil {
		t.Fatal(err)
	}
	m := s.Next(t, to)
	if m.From != "from@context.example.com" || !slices.Equal(m.To, []string{to}) || m.Subject() != "Grüße from ‘Ledger’" {
		t.Errorf("from %q to %q: %q", m.From, m.To, m.Subject())
	}
	text := "Ada <b>invites</b> you.\r\n\r\nJoin:\r\nhttps://context.example.com/invite/s3cr3t\r\n\r\nIt works once.\r\n"
	if diff := cmp.Diff(text, m.Text); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{"Ada &lt;b&gt;invites&lt;/b&gt; you.", `<a href="https://context.example.com/invite/s3cr3t">Join</a>`, "It works once."} {
		if !strings.Contains(m.HTML, part) {
			t.Errorf("%q is not in:\n%s", part, m.HTML)
		}
	}
	if id := m.Header.Get("Message-Id"); !strings.HasSuffix(id, "@context.example.com>") {
		t.Errorf("Message-ID: %s", id)
	}
	if m.Header.Get("Auto-Submitted") != "auto-generated" || m.Header.Get("Date") == "" {
		t.Errorf("headers %v", m.Header)
	}
	if host, err := os.Hostname(); err != nil || strings.Contains(m.Raw, host+" ") || strings.Contains(m.Raw, "@"+host) {
		t.Errorf("it names the machine %s, %v:\n%s", host, err, m.Raw)
	}
}

// What is asked for is never done without: a server, or somebody in between, that offers no TLS gets no mail and no password.
func TestWithoutTheTLSThatIsAskedForNothingIsSent(t *testing.T) {
	t.Parallel()
	s, to := mailtest.Start(t), receiver(t)
	s.Wants("driftless")
	for _, how := range []string{config.TLSStart, config.TLSFromStart} {
		err := mailer(s, func(c *config.Config) { c.SMTPTLS, c.SMTPUser, c.SMTPPassword = how, "driftless", "hush" }).Send(t.Context(), greeting(to))
		if err == nil || errors.Is(err, ErrReceiver) || s.Waiting(to) != 0 {
			t.Errorf("%s: %v, %d mails came", how, err, s.Waiting(to))
		}
	}
}

func TestTLSIsUsedAndItsCertificateChecked(t *testing.T) {
	t.Parallel()
	cert, roots := certificate(t)
	for how, atOnce := range map[string]bool{config.TLSStart: false, config.TLSFromStart: true} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s, to := mailtest.StartTLS(t, cert, atOnce), receiver(t)
			s.Wants("driftless")
			m := mailer(s, func(c *config.Config) { c.SMTPTLS, c.SMTPUser, c.SMTPPassword = how, "driftless", "hush" })
			err := m.Send(t.Context(), greeting(to))
			if err == nil || !strings.Contains(err.Error(), "certificate") {
				t.Errorf("a certificate that nobody vouches for: %v", err)
			}
			m.tls.RootCAs = roots
			if err := m.Send(t.Context(), greeting(to)); err != nil {
				t.Fatal(err)
			}
			if got := s.Next(t, to); !got.TLS || got.User != "driftless" {
				t.Errorf("over TLS %v, signed in as %q", got.TLS, got.User)
			}
		})
	}
}

func TestARefusalIsToldWithoutWhatTheServerSaid(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t)
	for name, tc := range map[string]struct {
		code  int
		final bool
		says  string
	}{
		"later":            {451, false, "451"},
		"for good":         {550, true, "550"},
		"no such mailbox":  {553, true, "553"},
		"over the storage": {452, false, "452"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := receiver(t)
			s.Refuse(to, tc.code)
			err := mailer(s).Send(t.Context(), greeting(to))
			if err == nil || errors.Is(err, ErrReceiver) != tc.final || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("it answered %v", err)
			}
			if err != nil && (strings.Contains(err.Error(), "people.test") || strings.Contains(err.Error(), "not now")) {
				t.Errorf("it repeats the server: %v", err)
			}
			if err := mailer(s).Send(t.Context(), greeting(to)); err != nil {
				t.Errorf("the next try: %v", err)
			}
		})
	}
}

func TestAWrongPasswordOfTheServerIsToldWithoutTheAccount(t *testing.T) {
	t.Parallel()
	s, to := mailtest.Start(t), receiver(t)
	s.Wants("driftless")
	err := mailer(s, func(c *config.Config) { c.SMTPUser, c.SMTPPassword = "driftless", "wrong" }).Send(t.Context(), greeting(to))
	if err == nil || errors.Is(err, ErrReceiver) || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "driftless") {
		t.Errorf("it answered %v", err)
	}
}

func TestAServerThatDoesNotAnswerHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	address := l.Addr().(*net.TCPAddr)
	ctx, cancel := context.WithCancel(t.Context())
	went := make(chan error, 1)
	go func() {
		m := mailer(&mailtest.Server{Host: address.IP.String(), Port: address.Port})
		went <- m.Send(ctx, greeting(receiver(t)))
	}()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	cancel()
	select {
	case err := <-went:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("it answered %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits on")
	}
}

func TestWithoutAServerTheAnswerNamesTheSetting(t *testing.T) {
	t.Parallel()
	m := New(config.Config{})
	if err := m.Send(t.Context(), greeting("a@people.test")); m.Ready() || err == nil || !strings.Contains(err.Error(), "DRIFTLESS_SMTP_HOST") {
		t.Errorf("ready %v, it answered %v", m.Ready(), err)
	}
}

func TestOnlyAPlainAddressGetsMail(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t)
	for _, to := range []string{
		"", "nobody", "Ada <ada@people.test>", "ada@people.test, eve@people.test", "ada@people.test\r\nBcc: eve@people.test", "<ada@people.test>",
		"ada@people.test\x00", " ada@people.test",
	} {
		if err := mailer(s).Send(t.Context(), greeting(to)); !errors.Is(err, ErrReceiver) {
			t.Errorf("%q: %v", to, err)
		}
	}
}

// Names that people chose stand in subjects and lines. Whatever they are, the mail has the same headers and one receiver.
func TestNoNameCanAddAHeader(t *testing.T) {
	t.Parallel()
	want := []string{"Auto-Submitted", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Subject", "To"}
	m := New(config.Config{PublicURL: "https://context.example.com", SMTPFrom: "from@context.example.com"})
	line := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"x\r\nBcc: eve@people.test", "x\nBcc: eve@people.test\n\n<script>", "x\r\n\r\nbody", "\u2028Bcc: eve@people.test", "=?utf-8?q?x=0D=0ABcc:_eve@people.test?=",
		"\u202ereversed", strings.Repeat("long ", 200),
	}))
	rapid.Check(t, func(t *rapid.T) {
		out, err := m.compose(Message{To: "ada@people.test", Subject: line.Draw(t, "subject"), Text: []string{line.Draw(t, "text")}})
		if err != nil {
			t.Fatal(err)
		}
		var raw bytes.Buffer
		if _, err := out.WriteTo(&raw); err != nil {
			t.Fatal(err)
		}
		got, err := netmail.ReadMessage(&raw)
		if err != nil {
			t.Fatalf("%v in %q", err, raw.String())
		}
		var names []string
		for name, values := range got.Header {
			names = append(names, name)
			if len(values) != 1 {
				t.Fatalf("%s stands there %d times", name, len(values))
			}
		}
		slices.Sort(names)
		if diff := cmp.Diff(want, names); diff != "" || got.Header.Get("To") != "<ada@people.test>" {
			t.Fatalf("to %s:\n%s", got.Header.Get("To"), diff)
		}
	})
}
