package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"driftless/internal/fault"
)

// SQLSTATE codes, PostgreSQL 15 appendix A.
const (
	uniqueViolation     = "23505"
	checkViolation      = "23514"
	serializationFailed = "40001"
	deadlock            = "40P01"
	queryCancelled      = "57014"
	notInEncoding       = "22021"
)

// NoRow reports whether err says that a single-row read found nothing.
func NoRow(err error) bool {
	return errors.Is(err, gorm.ErrRecordNotFound) || errors.Is(err, pgx.ErrNoRows) || errors.Is(err, sql.ErrNoRows)
}

// Violates reports whether err is the violation of the named constraint.
func Violates(err error, constraint string) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && p.ConstraintName == constraint
}

func transient(err error) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && (p.Code == serializationFailed || p.Code == deadlock)
}

// translate turns a database error into the one fault that a caller may see. What only our own mistake can cause stays an
// internal error, with the cause for the log.
func translate(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the call was cancelled before it finished",
			"send it again").Because(err)
	}
	var p *pgconn.PgError
	if errors.As(err, &p) {
		switch {
		case p.Code == uniqueViolation:
			return fault.New(fault.Conflict, fault.CodeVersionConflict, "somebody else wrote the same thing at the same moment",
				"read again and repeat the change").Because(err)
		case p.Code == checkViolation && p.ConstraintName == "topic_transition":
			return fault.New(fault.State, fault.CodeStateConflict, "the topic is not in a state that allows this",
				"read the topic; allowed_actions lists what is possible").Because(err)
		case p.Code == notInEncoding:
			// Inputs of operations are checked before; this is text of an address or a form.
			return fault.New(fault.Invalid, fault.CodeValidation, "the input holds a NUL character or is not valid UTF-8",
				"send plain text in UTF-8").Because(err)
		case p.Code == serializationFailed, p.Code == deadlock, p.Code == queryCancelled, strings.HasPrefix(p.Code, "57P"), strings.HasPrefix(p.Code, "53"):
			return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database is busy", "try again in a moment").Because(err)
		}
		return fault.From(err)
	}
	if lost(err) {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database cannot be reached", "try again in a moment").Because(err)
	}
	return fault.From(err)
}

// lost reports whether the connection could not be made or broke.
func lost(err error) bool {
	var connect *pgconn.ConnectError
	var network *net.OpError
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// unreachableError says in one sentence why there is no database: the driver lists each attempt on a line of its own, and
// one name often has several addresses.
type unreachableError struct{ cause error }

func (e unreachableError) Error() string {
	var attempts []string
	for line := range strings.Lines(e.cause.Error()) {
		if line = strings.TrimSpace(line); !slices.Contains(attempts, line) {
			attempts = append(attempts, line)
		}
	}
	return "the database cannot be reached: " + strings.Join(attempts, " ")
}

func (e unreachableError) Unwrap() error { return e.cause }
