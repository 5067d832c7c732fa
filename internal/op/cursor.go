package op

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"driftless/internal/fault"
)

// Cursor encodes where a page ended. It is opaque to callers and carries nothing secret.
func Cursor(position any) string {
	raw, err := json.Marshal(position)
	if err != nil {
		// Positions are structs of numbers and strings.
		panic(fmt.Sprintf("encode a cursor: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// ParseCursor reads a cursor of the same list into position; an empty one leaves it as it is and answers false.
func ParseCursor(cursor string, position any) (bool, error) {
	if cursor == "" {
		return false, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields() // a position in another list has other fields
		err = d.Decode(position)
	}
	if err != nil {
		return false, fault.Fieldf("cursor", "is not one that this list gave out; leave it out to begin again")
	}
	return true, nil
}
