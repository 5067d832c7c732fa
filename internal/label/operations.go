package label

import "driftless/internal/op"

// Service is the registries of areas and tags.
type Service struct{}

// New makes the service.
func New() *Service { return &Service{} }

// Operations lists what can be done with areas and tags.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.listTagsOp(),
		s.createTagOp(),
		s.renameTagOp(),
		s.deleteTagOp(),
		s.listAreasOp(),
		s.createAreaOp(),
		s.updateAreaOp(),
		s.deleteAreaOp(),
		s.mergeAreaOp(),
	}
}
