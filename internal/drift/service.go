package drift

import (
	"driftless/internal/op"
	"driftless/internal/pg"
)

// Service is the drift of one server.
type Service struct{ db *pg.DB }

// New makes the service. The operations of a nil service can be listed, not called.
func New(db *pg.DB) *Service { return &Service{db: db} }

// Operations lists what can be asked and told about drift.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.diffOp(),
		s.coverageOp(),
		s.syncOp(),
		s.printsOp(),
		s.disconnectOp(),
	}
}
