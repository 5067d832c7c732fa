// Settings: members and invitations.

export const settings = {
  'people.title': 'Members and invitations',
  'people.text': 'Who is in {workspace}, and what each of them may do.',
  'people.members': 'Members',
  'people.you': 'You',
  'people.service': 'Service account',
  'people.joined': 'joined',
  'people.last': 'The last owner stays one. Make somebody else an owner first.',
  'people.role': 'Role',
  'people.roleOf': 'Role of {name}',
  'people.may.member': 'Writes, proposes, curates tags and areas.',
  'people.may.viewer': 'Reads.',
  'people.may.admin': 'Decides what becomes Knowledge, and invites people.',
  'people.changed': '{name}: {role} from now on.',
  'people.undo': 'Undo',
  'people.own': 'Become {role}',
  'people.ownText': 'You cannot give yourself the present role back; somebody else has to.',
  'people.ownDo': 'Change my role',
  'people.remove': 'Remove',
  'people.removeOf': 'Remove {name}',
  'people.removeText':
    'Keys, applications and invitations of theirs stop reaching the workspace at once. What they wrote stays. To come back, they need an invitation.',
  'people.removed': '{name} was removed.',
  'people.leave': 'Leave',
  'people.leaveOf': 'Leave {workspace}',
  'people.leaveText':
    'Your keys and applications stop reaching the workspace at once. What you wrote stays. To come back, you need an invitation.',

  'people.invitations': 'Invitations',
  'people.invitationsText': 'A link works once, within 7 days.',
  'people.noInvitations': 'No invitation is open.',
  'people.invite': 'Invite',
  'people.inviteTitle': 'Invite a person',
  'people.inviteDo': 'Make the link',
  'people.email': 'E-mail (optional)',
  'people.emailHelp':
    'With an address, only that person can accept. Without, whoever has the link.',
  'people.anyone': 'Whoever has the link',
  'people.invitedBy': 'invited by {name}',
  'people.expires': 'expires',
  'people.invited': 'The invitation is ready',
  'people.link': 'Invitation link',
  'people.mailed':
    'A mail with a link of its own goes to {email}. You can also hand this one over; it is shown this one time.',
  'people.handTo': 'Hand this link to {email}; no mail was sent. It is shown this one time.',
  'people.handAnyone':
    'Hand this link to one person: whoever opens it first may join. It is shown this one time.',
  'people.done': 'Done',
  'people.takeBack': 'Take back',
  'people.takeBackOf': 'Take back the invitation: {name}',
  'people.takeBackText': 'Its link stops working at once. You can make another one.',
} as const;
