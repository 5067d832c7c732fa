package exchange

import (
	"driftless/internal/op"
	"driftless/internal/topic"
)

// Service is the imports and exports of one server.
type Service struct{ topics *topic.Service }

// New makes the service. The operations of a nil service can be listed, not called.
func New(topics *topic.Service) *Service { return &Service{topics: topics} }

// Operations lists what can be imported and exported.
func (s *Service) Operations() []op.Operation { return []op.Operation{s.applyOp(), s.exportOp()} }
