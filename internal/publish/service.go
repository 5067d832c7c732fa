package publish

import (
	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/retrieve"
)

// Service shares topics.
type Service struct {
	db    *pg.DB
	cfg   config.Config
	found *retrieve.Service
	scrub scrubber
}

// New makes the service. found searches public knowledge.
func New(db *pg.DB, cfg config.Config, found *retrieve.Service) *Service {
	return &Service{db: db, cfg: cfg, found: found, scrub: newScrubber(cfg.PublicURL)}
}

// Operations lists what can be done about sharing.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.shareOp(),
		s.sharedOp(),
	}
}

// PublicOperations lists what anybody may do.
func (s *Service) PublicOperations() []op.Operation {
	return []op.Operation{
		s.searchKnowledgeOp(),
		s.listKnowledgeOp(),
		s.getKnowledgeOp(),
		s.exportKnowledgeOp(),
	}
}
