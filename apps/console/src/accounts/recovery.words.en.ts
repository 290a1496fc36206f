/** What is said about mailed links: other languages say the same. */
export const words = {
  email: 'E-mail address',
  show: 'Show',
  hide: 'Hide',
  signIn: 'Go to sign-in',
  goOn: 'Continue',
  forgot: {
    title: 'Choose a new password',
    about: 'Enter your address. If it has an account, we send you a link to choose a new password.',
    submit: 'Send the link',
    sentTitle: 'Check your e-mail',
    sent: (email: string) =>
      `If ${email} has an account, a link is on its way. It works once, within an hour. If nothing arrives, check your spam folder.`,
    again: 'Send it to another address',
  },
  reset: {
    title: 'Choose a new password',
    password: 'New password',
    passwordRule: (minLength: number) =>
      `At least ${minLength} characters; nothing common, and not your name or address.`,
    about: 'This ends all your sessions, so anyone who knew the old password is signed out.',
    submit: 'Save the password',
    doneTitle: 'Your password was changed',
    done: 'All your sessions have ended. Sign in with the new password.',
    noToken: 'Open this page from the link in an e-mail. You can request one here.',
    ask: 'Request a link',
  },
  verify: {
    title: 'Confirm your e-mail address',
    about: 'Confirm only if you requested this e-mail.',
    submit: 'Confirm',
    doneTitle: 'Your address is confirmed',
    done: (email: string) => `${email} is confirmed. You can sign in with it.`,
    doneElsewhere: (email: string) =>
      `${email} is confirmed. You did not sign up on this device, so for your safety the password and everything else that was set up before was removed. Choose a password that only you know.`,
    choosePassword: 'Choose a password',
    signInFirst: 'This link changes the address of an account: sign in to that account first.',
    resendTitle: 'Confirm your e-mail address',
    resend:
      'Did not get the e-mail, or has its link expired? Enter your address, and we send another one if it is not confirmed yet.',
    resendSubmit: 'Send again',
    resent: (email: string) => `If ${email} still has to be confirmed, an e-mail is on its way.`,
  },
};

/** The words about mailed links in one language. */
export type RecoveryWords = typeof words;
