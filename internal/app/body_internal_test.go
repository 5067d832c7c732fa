package app

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestABodyThatTricklesEnds(t *testing.T) {
	t.Parallel()
	read := make(chan error, 1)
	server := httptest.NewServer(boundBodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		read <- err
	}), 50*time.Millisecond))
	t.Cleanup(server.Close)
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this"); err != nil {
		t.Fatal(err)
	}
	if err := <-read; err == nil {
		t.Error("a body that never came was read without an error")
	}
	if _, err := io.ReadAll(c); err != nil {
		t.Errorf("the connection was not closed in order: %v", err)
	}
}

func TestAnAnswerMayTakeLongerThanTheBodyMay(t *testing.T) {
	t.Parallel()
	const timeout = 50 * time.Millisecond
	server := httptest.NewServer(boundBodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		select {
		case <-r.Context().Done():
		case <-time.After(4 * timeout):
			_, _ = io.WriteString(w, "whole")
		}
	}), timeout))
	t.Cleanup(server.Close)
	for range 2 { // the second goes over the same connection
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || string(text) != "whole" {
			t.Errorf("the answer is %q, %v", text, err)
		}
	}
}
