package drift

import "driftless/internal/op"

// Service is the drift of one server.
type Service struct{}

// New makes the service. The operations of a nil service can be listed, not called.
func New() *Service { return &Service{} }

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
