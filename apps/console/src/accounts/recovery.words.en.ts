/** What is said about mailed links: other languages say the same. */
export const words = {
  email: 'E-mail address',
  show: 'Show',
  hide: 'Hide',
  signIn: 'Go to sign-in',
  goOn: 'Go on',
  forgot: {
    title: 'Choose a new password',
    about:
      'Tell us your address. If it has an account, we mail you a link by which to choose a new password.',
    submit: 'Send the link',
    sentTitle: 'Look into your mail',
    sent: (email: string) =>
      `If ${email} has an account, a link is on its way. It works once, and for an hour. Nothing there? Look among the junk mail.`,
    again: 'Send it to another address',
  },
  reset: {
    title: 'Choose a new password',
    password: 'New password',
    passwordRule: (minLength: number) =>
      `At least ${minLength} characters; nothing common, and not your name or address.`,
    about: 'It ends all your sessions: whoever knew the old password is signed out.',
    submit: 'Save the password',
    doneTitle: 'Your password was changed',
    done: 'All your sessions have ended. Sign in with the new password.',
    noToken: 'This page takes the link of a letter. Ask for one, and open it from there.',
    ask: 'Ask for a link',
  },
  verify: {
    title: 'Confirm your e-mail address',
    about: 'Confirm only if it was you who asked for the letter.',
    submit: 'Confirm',
    doneTitle: 'Your address is confirmed',
    done: (email: string) => `${email} is yours. You can sign in with it.`,
    signInFirst: 'This link changes the address of an account: sign in to that account first.',
    resendTitle: 'Confirm your e-mail address',
    resend:
      'No letter, or its link is over? Tell us your address, and we send another one if it is not confirmed yet.',
    resendSubmit: 'Send the letter again',
    resent: (email: string) => `If ${email} is still to be confirmed, a letter is on its way.`,
  },
};

/** The words about mailed links in one language. */
export type RecoveryWords = typeof words;
