/** What is said about accounts: other languages say the same. */
export const words = {
  signUp: {
    title: 'Create your account',
    name: 'Your name',
    email: 'E-mail address',
    password: 'Password',
    organization: 'Your company',
    organizationHint: 'Optional. You can change it later.',
    passwordRule: (minLength: number) =>
      `At least ${minLength} characters. Avoid common passwords, your name and your address.`,
    submit: 'Create account',
    haveAccount: 'Already have an account?',
    signIn: 'Sign in',
    invited: (organization: string) => `You will join ${organization}.`,
    invitedHint: 'The invitation is for this address.',
    closed: {
      title: 'By invitation only',
      text: 'You need an invitation to create an account. Open the link in your invitation, or ask a colleague for one.',
    },
    check: {
      title: 'Check your e-mail',
      text: (email: string) => `We sent an e-mail to ${email}. Follow the link in it, then sign in.`,
    },
  },
  title: 'Your account',
  show: 'Show',
  hide: 'Hide',
  save: 'Save',
  saved: 'Saved',
  profile: {
    title: 'Profile',
    about: 'Your name is shown to the members of your organizations.',
    name: 'Name',
    language: 'Language',
    languageHint: 'For these pages, and for e-mails to you.',
    timeZone: 'Time zone',
  },
  address: {
    title: 'E-mail address',
    about: 'You sign in with it, and we send your e-mail there.',
    present: (email: string) => `Your address is ${email}.`,
    next: 'New address',
    hint: 'We send a link there. The change takes effect once you follow it.',
    submit: 'Change address',
    sent: (email: string) => `A link is on its way to ${email}. Until you follow it, nothing changes.`,
  },
  erase: {
    title: 'Delete account',
    about: 'This cannot be undone. What you did in your organizations stays there.',
    type: (email: string) => `Type ${email} to confirm`,
    submit: 'Delete permanently',
  },
  password: {
    title: 'Password',
    about: 'Changing it ends your other sessions.',
    current: 'Current password',
    next: 'New password',
    submit: 'Change password',
    done: 'Your password was changed, and your other sessions have ended.',
  },
  sessions: {
    title: 'Sessions',
    about: 'Where you are signed in. End any that you do not recognize, then change your password.',
    unknown: 'Unknown device',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    current: 'This device',
    active: (ago: string) => `Active ${ago}`,
    by: (organization: string) => `Through single sign-on of ${organization}`,
    end: 'End',
    endOf: (device: string) => `End the session of ${device}`,
    endOthers: 'End all others',
    ended: (count: number) => (count === 1 ? 'One session was ended.' : `${count} sessions were ended.`),
    only: 'You are not signed in anywhere else.',
  },
};

/** The words about accounts in one language. */
export type AccountWords = typeof words;
