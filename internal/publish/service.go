package publish

import (
	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg"
)

// Service shares topics.
type Service struct {
	db  *pg.DB
	cfg config.Config
}

// New makes the service.
func New(db *pg.DB, cfg config.Config) *Service { return &Service{db: db, cfg: cfg} }

// Operations lists what can be done about sharing.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.shareOp(),
		s.sharedOp(),
	}
}
