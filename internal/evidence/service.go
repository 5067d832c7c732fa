package evidence

import "driftless/internal/op"

// Service collects what is known about solutions.
type Service struct{}

// New makes the service.
func New() *Service { return &Service{} }

// Operations lists what can be said about solutions.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.reportOp(),
		s.clearOp(),
		s.attemptOp(),
	}
}
