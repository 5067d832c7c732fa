// The account of a person, and how they sign in.

export const account = {
  'account.title': 'Account',
  'account.text': 'How you sign in to this server, and where you are signed in.',
  'account.open': 'Account',
  'account.back': 'Back to {workspace}',
  'account.profile': 'Profile',
  'account.name': 'Name',
  'account.workspaces': 'Workspaces',
  'account.signedIn': 'Signed in',

  'account.password': 'Password',
  'account.passwordText': 'A change ends your sessions everywhere else.',
  'account.noPasswordText': 'You have none. With one, you can also sign in by e-mail and password.',
  'account.currentPassword': 'Current password',
  'account.newPassword': 'New password',
  'account.changePassword': 'Change password',
  'account.setPassword': 'Set password',
  'account.passwordChanged': 'Your password is changed. Your other sessions have ended.',
  'account.passwordSet': 'You have a password now.',
  'account.wrongPassword': 'This is not your current password.',

  'account.sessions': 'Sessions',
  'account.sessionsText': 'Where you are signed in. End those you do not recognise.',
  'account.thisOne': 'This one',
  'account.signedInAt': 'signed in',
  'account.lastUsed': 'last used',
  'account.end': 'End',
  'account.endOf': 'End the session: {device}',
  'account.endText': 'Whoever uses it there has to sign in again.',
} as const;
