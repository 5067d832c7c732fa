package opaque

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
)

// Seal encrypts under a key of 32 bytes, each time with another nonce, which is a part of the result (AES-256-GCM).
func Seal(plain, key []byte) ([]byte, error) {
	box, err := boxOf(key)
	if err != nil {
		return nil, err
	}
	return box.Seal(nil, nil, plain, nil), nil //nolint:gosec // this box makes a nonce of its own
}

// Open reads what was sealed. It fails for another key, and for what was changed or cut off.
func Open(sealed, key []byte) ([]byte, error) {
	box, err := boxOf(key)
	if err != nil {
		return nil, err
	}
	plain, err := box.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("open what was sealed: %w", err)
	}
	return plain, nil
}

func boxOf(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make a cipher: %w", err)
	}
	box, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("make a cipher: %w", err)
	}
	return box, nil
}
