package topic

import "driftless/internal/op"

// Operations lists what can be done with topics.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.createOp(),
		s.noteAddOp(),
		s.getOp(),
		s.listOp(),
		s.tocOp(),
		s.updateOp(),
		s.patchOp(),
		s.undoOp(),
		s.restoreRevisionOp(),
		s.mergeTopicsOp(),
		s.proposeOp(),
		s.withdrawOp(),
		s.approveOp(),
		s.rejectOp(),
		s.proposalsOp(),
		s.createProposalOp(),
		s.mergeEditOp(),
		s.rejectEditOp(),
		s.withdrawEditOp(),
		s.verifyOp(),
		s.archiveOp(),
		s.deleteOp(),
		s.recoverOp(),
		s.purgeOp(),
		s.historyOp(),
		s.suggestAnchorsOp(),
		s.relationsOp(),
		s.graphOp(),
		s.mapOp(),
		s.addCommentOp(),
		s.listCommentsOp(),
		s.resolveCommentOp(),
		s.eventsOp(),
		s.verifyChainOp(),
	}
}
