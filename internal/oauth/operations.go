package oauth

import "driftless/internal/op"

// Operations lists what a workspace does with clients of its own.
func (s *Server) Operations() []op.Operation {
	return []op.Operation{
		s.clientsOp(),
		s.createClientOp(),
		s.deleteClientOp(),
	}
}
