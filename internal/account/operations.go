package account

import "driftless/internal/op"

// Operations lists what can be done with accounts.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.meOp(),
		s.workspacesOp(),
		s.renameWorkspaceOp(),
		s.deleteWorkspaceOp(),
		s.settingsOp(),
		s.changeSettingsOp(),
		s.membersOp(),
		s.changeMemberOp(),
		s.removeMemberOp(),
		s.inviteOp(),
		s.invitationsOp(),
		s.uninviteOp(),
		s.keysOp(),
		s.createKeyOp(),
		s.revokeKeyOp(),
	}
}
