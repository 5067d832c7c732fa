package retrieve

import "driftless/internal/op"

// Operations lists the ways to find topics.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{s.retrieveOp(), s.searchOp(), s.getForFilesOp(), s.similarOp()}
}
