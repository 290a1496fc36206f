/** What is said about accounts: other languages say the same. */
export const words = {
  signUp: {
    title: 'Create your account',
    name: 'Your name',
    email: 'E-mail address',
    password: 'Password',
    passwordRule: (minLength: number) =>
      `At least ${minLength} characters; nothing common, and not your name or address.`,
    submit: 'Create account',
    haveAccount: 'You have one already?',
    signIn: 'Sign in',
    invited: (organization: string) => `You will join ${organization}.`,
    invitedHint: 'The invitation is for this address.',
    closed: {
      title: 'By invitation only',
      text: 'Accounts begin with an invitation here. Open the link in the letter that you were sent, or ask a colleague for one.',
    },
    check: {
      title: 'Look into your mail',
      text: (email: string) => `We have written to ${email}. Follow the link in the letter, then sign in.`,
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
    languageHint: 'Of these pages, and of the letters that we send you.',
    languages: { en: 'English', sv: 'Swedish' },
    timeZone: 'Time zone',
  },
  address: {
    title: 'E-mail address',
    about: 'You sign in with it, and letters go there.',
    present: (email: string) => `It is ${email}.`,
    next: 'New address',
    hint: 'We mail it a link. The change counts once you have followed it.',
    submit: 'Change address',
    sent: (email: string) => `A link is on its way to ${email}. Until you follow it, nothing changes.`,
  },
  erase: {
    title: 'Delete account',
    about: 'It cannot be undone. What you did in your organizations stays with them.',
    type: (email: string) => `Type ${email} to confirm`,
    submit: 'Delete for good',
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
    about: 'Where you are signed in. End what you do not know, then change your password.',
    unknown: 'Unknown device',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    current: 'This device',
    active: (ago: string) => `Active ${ago}`,
    end: 'End',
    endOf: (device: string) => `End the session of ${device}`,
    endOthers: 'End all others',
    ended: (count: number) => (count === 1 ? 'One session was ended.' : `${count} sessions were ended.`),
    only: 'You are signed in nowhere else.',
  },
};

/** The words about accounts in one language. */
export type AccountWords = typeof words;
