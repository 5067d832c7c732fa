// Package passkeytest owns an authenticator made of software, for tests: it answers the options of a ceremony as a browser with a
// passkey does (WebAuthn level 3 section 6), with real keys, and can be told to misbehave.
//
// It refuses to know how the server checks what it says.
package passkeytest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// Flags of authenticator data.
const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	attested     = 1 << 6
)

// Authenticator holds passkeys, as a phone or a security key does, together with the browser in front of it. Its fields may be
// changed between ceremonies.
type Authenticator struct {
	// Origin is the page that the browser shows.
	Origin string
	// RPID replaces the id of the relying party that the options name; "" keeps it.
	RPID string
	// Counter is added to by one at each use, and reported.
	Counter uint32
	// Unverified leaves out that the person was verified.
	Unverified bool
	// Handle replaces the user handle that was given at the registration.
	Handle []byte

	keys []key
}

type key struct {
	id, handle []byte
	private    *ecdsa.PrivateKey
}

type options struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
		RPID      string `json:"rpId"`
		RP        struct {
			ID string `json:"id"`
		} `json:"rp"`
		User struct {
			ID string `json:"id"`
		} `json:"user"`
		AllowCredentials []struct {
			ID string `json:"id"`
		} `json:"allowCredentials"`
	} `json:"publicKey"`
}

// Create answers the options of a registration with a new passkey, as credential.toJSON() would.
func (a *Authenticator) Create(t testing.TB, raw []byte) json.RawMessage {
	t.Helper()
	o := parse(t, raw)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k := key{id: []byte(rand.Text()), handle: decode(t, o.PublicKey.User.ID), private: private}
	point, err := private.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	// RFC 9053 section 7.1.1: an EC2 key for ES256 on P-256. A point is 0x04, x, y.
	public := encode(t, map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	attestedData := bytes.Join([][]byte{make([]byte, 16), binary.BigEndian.AppendUint16(nil, uint16(len(k.id))), k.id, public}, nil)
	data := append(a.data(o.PublicKey.RP.ID, attested), attestedData...)
	a.keys = append(a.keys, k)
	return answer(t, k, map[string]any{
		"clientDataJSON":    b64(a.clientData(t, "webauthn.create", o.PublicKey.Challenge)),
		"attestationObject": b64(encode(t, map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})),
		"transports":        []string{"internal"},
	})
}

// Get answers the options of a sign-in or step-up with the passkey that was made last, of those that are allowed.
func (a *Authenticator) Get(t testing.TB, raw []byte) json.RawMessage {
	t.Helper()
	o := parse(t, raw)
	var k key
	for _, own := range a.keys {
		allowed := len(o.PublicKey.AllowCredentials) == 0
		for _, c := range o.PublicKey.AllowCredentials {
			allowed = allowed || c.ID == b64(own.id)
		}
		if allowed {
			k = own
		}
	}
	if k.private == nil {
		t.Fatal("the authenticator has no passkey that is allowed")
	}
	client := a.clientData(t, "webauthn.get", o.PublicKey.Challenge)
	data := a.data(o.PublicKey.RPID, 0)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(bytes.Clone(data), sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, k.private, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	handle := k.handle
	if a.Handle != nil {
		handle = a.Handle
	}
	return answer(t, k, map[string]any{
		"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": b64(handle),
	})
}

// Handles are the user handles of the passkeys, the oldest first.
func (a *Authenticator) Handles() [][]byte {
	var out [][]byte
	for _, k := range a.keys {
		out = append(out, k.handle)
	}
	return out
}

// data is the beginning of authenticator data: the party, flags and the counter.
func (a *Authenticator) data(rpID string, flags byte) []byte {
	if a.RPID != "" {
		rpID = a.RPID
	}
	flags |= userPresent
	if !a.Unverified {
		flags |= userVerified
	}
	a.Counter++
	sum := sha256.Sum256([]byte(rpID))
	return binary.BigEndian.AppendUint32(append(sum[:], flags), a.Counter)
}

func (a *Authenticator) clientData(t testing.TB, kind, challenge string) []byte {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func answer(t testing.TB, k key, response map[string]any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(map[string]any{
		"id": b64(k.id), "rawId": b64(k.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
		"authenticatorAttachment": "platform",
	})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func parse(t testing.TB, raw []byte) options {
	t.Helper()
	var o options
	if err := json.Unmarshal(raw, &o); err != nil || o.PublicKey.Challenge == "" {
		t.Fatalf("these are no options: %v %s", err, raw)
	}
	return o
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	raw, err := cbor.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func decode(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
