// Package fault owns the one error value of the product: a kind that every surface maps in one table, a stable code
// that clients switch on, and words that say what was wrong, what is allowed and what to do next.
//
// It refuses to know about HTTP, MCP or the database; those translate to and from it.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind decides how a surface answers. The mapping to HTTP status and CLI exit code is in [Kind.HTTPStatus] and
// [Kind.ExitCode]; nothing else may choose one.
type Kind int

// The kinds, from "your input" to "our bug".
const (
	Internal Kind = iota
	Invalid
	Unauthenticated
	Scope
	Forbidden
	NotFound
	Conflict
	State
	Limit
	Rate
	Unavailable
)

// Code is the stable word a client may switch on. Codes are added, never renamed.
type Code string

// The codes of the interface specification.
const (
	CodeInternal             Code = "INTERNAL"
	CodeValidation           Code = "VALIDATION_FAILED"
	CodeUnknownField         Code = "UNKNOWN_FIELD"
	CodeUnauthenticated      Code = "UNAUTHENTICATED"
	CodeSessionTooOld        Code = "SESSION_TOO_OLD"
	CodeNotFound             Code = "NOT_FOUND"
	CodeDuplicateTopic       Code = "DUPLICATE_TOPIC"
	CodeVersionConflict      Code = "VERSION_CONFLICT"
	CodeStaleBase            Code = "STALE_BASE"
	CodeStateConflict        Code = "STATE_CONFLICT"
	CodeInsufficientScope    Code = "INSUFFICIENT_SCOPE"
	CodeInsufficientRole     Code = "INSUFFICIENT_ROLE"
	CodeMissingHumanIdentity Code = "MISSING_HUMAN_IDENTITY"
	CodeSecretDetected       Code = "SECRET_DETECTED"
	CodePolicyForbids        Code = "POLICY_FORBIDS"
	CodeTooLarge             Code = "TOO_LARGE"
	CodeRateLimited          Code = "RATE_LIMITED"
	CodeUnavailable          Code = "UNAVAILABLE"
	CodeInvalidPointer       Code = "INVALID_POINTER"
	CodeIDAddressing         Code = "ID_ADDRESSING_REQUIRED"
	CodeUndoTokenInvalid     Code = "UNDO_TOKEN_INVALID" //nolint:gosec // the name of an error
	CodeUndoTokenUsed        Code = "UNDO_TOKEN_USED"    //nolint:gosec // the name of an error
	CodeUndoConflict         Code = "UNDO_CONFLICT"
	CodeOverlappingAnswer    Code = "OVERLAPPING_ANSWER"
	CodeApplicableAnswer     Code = "APPLICABLE_ANSWER_EXISTS"
)

// Field is one thing that is wrong with one input field.
type Field struct {
	Path    string   `json:"path"`
	Problem string   `json:"problem"`
	Allowed []string `json:"allowed,omitempty"`
}

// Error is the one error value. Message and Hint are for people and models; the cause is for the log alone.
type Error struct {
	Kind    Kind
	Code    Code
	Message string
	Hint    string
	Fields  []Field
	// Allowed lists the legal values or verbs where the set is closed.
	Allowed []string
	// Current is the state the caller collided with, for example the current revision.
	Current any
	// Changes is what happened since the base of a stale write.
	Changes any
	// RetryAfter is how long to wait before trying again; zero when waiting does not help.
	RetryAfter time.Duration

	cause error
}

// New makes an error of a kind, a code, a message and a hint. The hint may be empty.
func New(kind Kind, code Code, message, hint string) *Error {
	return &Error{Kind: kind, Code: code, Message: message, Hint: hint}
}

// Error is the message with its code; the hint and cause stay out of it.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Because returns e with a cause that only the log will see.
func (e *Error) Because(err error) *Error {
	e.cause = err
	return e
}

// Retryable says whether the same call may succeed later without a change by the caller.
func (e *Error) Retryable() bool { return e.Kind == Rate || e.Kind == Unavailable }

// HTTPStatus is the status of a kind on every HTTP surface.
func (k Kind) HTTPStatus() int {
	switch k {
	case Invalid:
		return 422
	case Unauthenticated:
		return 401
	case Scope, Forbidden:
		return 403
	case NotFound:
		return 404
	case Conflict, State:
		return 409
	case Limit:
		return 413
	case Rate:
		return 429
	case Unavailable:
		return 503
	case Internal:
		return 500
	}
	return 500
}

// ExitCode is the exit status of the command line for a kind: 1 failure, 2 usage, 3 not found, 4 sign-in or scope,
// 5 role, 6 conflict, 7 try again.
func (k Kind) ExitCode() int {
	switch k {
	case Invalid, Limit:
		return 2
	case NotFound:
		return 3
	case Unauthenticated, Scope:
		return 4
	case Forbidden:
		return 5
	case Conflict, State:
		return 6
	case Rate, Unavailable:
		return 7
	case Internal:
		return 1
	}
	return 1
}

// From finds the *Error in a chain; anything else becomes an internal error with neutral words and the cause kept.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return (&Error{
		Kind: Internal, Code: CodeInternal,
		Message: "something went wrong on our side",
		Hint:    "try again; if it keeps happening, tell the operator the request_id",
	}).Because(err)
}

// Is reports whether err carries this code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
