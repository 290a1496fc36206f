/** What the session asks and tells while a page is open: other languages say the same. */
export const words = {
  stepUp: {
    title: 'Confirm that it is you',
    password: 'This is a sensitive change. Enter your password to go on.',
    code: 'This is a sensitive change. Enter a code of your authenticator app, or a backup code.',
    signIn: 'This is a sensitive change. Sign in again to go on.',
    confirm: 'Confirm',
  },
  rebind: {
    title: 'You are on another network',
    text: 'Your session began somewhere else. Confirm that it is you to go on here.',
    byPassword: 'Use your password instead',
    byCode: 'Use a code instead',
  },
  ended: {
    title: 'Your session has ended',
    text: (email: string) => `Sign in again as ${email}. What you have typed stays as it is.`,
    other: 'Sign in as somebody else',
  },
  elsewhere: {
    title: 'You changed organization in another tab',
    text: (former: string) => `This tab shows ${former}, which is not active any more.`,
    follow: 'Go on in the new one',
    back: (former: string) => `Switch back to ${former}`,
  },
};

/** The words of the session's dialogs in one language. */
export type DialogWords = typeof words;
