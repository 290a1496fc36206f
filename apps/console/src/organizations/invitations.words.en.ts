/** What is said about invitations: other languages say the same. */
export const words = {
  title: 'You are invited',
  to: (organization: string) => `Join ${organization}`,
  by: (inviter: string, organization: string) => `${inviter} invites you to ${organization}.`,
  byNobody: (organization: string) => `You are invited to ${organization}.`,
  as: 'As',
  for: 'For',
  until: 'Until',
  accept: 'Accept',
  decline: 'Decline',
  declineSure: 'Decline this invitation?',
  declined: { title: 'Declined', text: 'You can close this page.' },
  signedOut: 'Sign in with this address to accept, or create an account for it.',
  signIn: 'Sign in',
  signUp: 'Create an account',
  other: {
    text: (mine: string, theirs: string) =>
      `You are signed in as ${mine}, and the invitation is for ${theirs}.`,
    change: 'Sign out and continue with that address',
  },
  noToken: 'Open this page from the link in your invitation.',
  home: 'Go to Home',
  cancel: 'Cancel',
};

/** The words about invitations in one language. */
export type InvitationWords = typeof words;
