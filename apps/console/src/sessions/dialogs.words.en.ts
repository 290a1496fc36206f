/** What the session asks and tells while a page is open: other languages say the same. */
export const words = {
  stepUp: {
    title: 'Confirm that it is you',
    password: 'This is a sensitive change. Enter your password to continue.',
    code: 'This is a sensitive change. Enter a code from your authenticator app, or a backup code.',
    signIn: 'This is a sensitive change. Sign in again to continue.',
    confirm: 'Confirm',
  },
  rebind: {
    title: 'You are on another network',
    text: 'Your session began somewhere else. Confirm that it is you to continue here.',
    byPassword: 'Use your password instead',
    byCode: 'Use a code instead',
  },
  ended: {
    title: 'Your session has ended',
    text: (email: string) => `Sign in again as ${email}. What you have typed is kept.`,
    other: 'Sign in as someone else',
    atOrganization: (email: string) => `You were signed in as ${email} through your organization.`,
    signIn: 'Go to sign-in',
  },
  elsewhere: {
    title: 'You changed organization in another tab',
    text: (former: string) => `This tab shows ${former}, which is no longer active.`,
    follow: 'Continue in the new one',
    back: (former: string) => `Switch back to ${former}`,
  },
};

/** The words of the session's dialogs in one language. */
export type DialogWords = typeof words;
