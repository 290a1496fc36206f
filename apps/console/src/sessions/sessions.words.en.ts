/** What is said about sessions: other languages say the same. */
export const words = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  show: 'Show',
  hide: 'Hide',
  signIn: 'Sign in',
  forgot: 'Forgot your password?',
  resend: 'No letter to confirm your address?',
  byMail: 'Send me a code',
  byPassword: 'Use your password',
  noAccount: 'No account yet?',
  signUp: 'Create one',
  cancel: 'Cancel',
  code: {
    title: 'Enter your code',
    label: 'Code',
    hint: 'The six digits that your authenticator app shows, or one of your backup codes.',
    submit: 'Go on',
    back: 'Use another account',
    lost: 'Lost both?',
    lostHelp:
      'Without the app and without a backup code nobody can sign in to this account, not even we. Ask an owner of your organization for a new one.',
    next: (seconds: number) => `Each code works once. The next one comes in ${seconds} s.`,
  },
  cookies: {
    title: 'Your browser did not keep you signed in',
    text: 'Signing in worked, but this browser dropped the cookie that keeps you signed in.',
    help: 'Browsers keep it over HTTPS, and at localhost. Open this page at such an address, or use a newer browser.',
  },
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

/** The words about sessions in one language. */
export type SessionWords = typeof words;
