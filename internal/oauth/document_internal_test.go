package oauth

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// names is a name server on this machine that says of every name that it is this machine, in both families of addresses, and
// the second time as an IPv4 address within an IPv6 one. It answers how often it was asked.
func names(t *testing.T) (*net.Resolver, *atomic.Int64) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	asked := new(atomic.Int64)
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := listener.ReadFrom(buffer)
			if err != nil {
				return
			}
			// A question is a header of 12 bytes, the labels up to an empty one, type and class (RFC 1035 §4.1).
			end := 12
			for end < n && buffer[end] != 0 {
				end += int(buffer[end]) + 1
			}
			end += 5
			if end > n {
				continue
			}
			asked.Add(1)
			kind := buffer[end-3]
			address := netip.MustParseAddr("127.0.0.1").AsSlice()
			if kind == 28 { // AAAA
				address = netip.MustParseAddr("::ffff:127.0.0.1").AsSlice()
			}
			answer := append([]byte{buffer[0], buffer[1], 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0}, buffer[12:end]...)
			answer = append(answer, 0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, byte(len(address)))
			if _, err := listener.WriteTo(append(answer, address...), from); err != nil {
				return
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", listener.LocalAddr().String())
	}}, asked
}

func TestM6ANameThatTurnsInwardIsNotConnectedTo(t *testing.T) {
	t.Parallel()
	var connected atomic.Int64
	inside := httptest.NewUnstartedServer(http.NotFoundHandler())
	inside.Config.ConnState = func(net.Conn, http.ConnState) { connected.Add(1) }
	inside.StartTLS()
	t.Cleanup(inside.Close)
	port := strconv.Itoa(inside.Listener.Addr().(*net.TCPAddr).Port)
	resolver, asked := names(t)
	documents := newDocumentClient(publicTransport(resolver))
	for _, host := range []string{"rebind.example", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0", "[::]"} {
		_, err := documents.fetch(t.Context(), "https://"+host+":"+port+"/client.json", clientRow{}, time.Now())
		var refused *documentError
		if !errors.As(err, &refused) || refused.passing || refused.reason != "its host is not on the public internet" {
			t.Errorf("%s: %v", host, err)
		}
	}
	if connected.Load() != 0 || asked.Load() == 0 {
		t.Errorf("%d connections were made; the name was looked up %d times", connected.Load(), asked.Load())
	}
}
