/** What is said about sessions: other languages say the same. */
export const words = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  show: 'Show',
  hide: 'Hide',
  signIn: 'Sign in',
  forgot: 'Forgot your password?',
  resend: 'Did not get the confirmation e-mail?',
  byMail: 'Send me a code',
  byOrganization: 'Continue with your organization',
  byPassword: 'Use your password',
  noAccount: 'No account yet?',
  signUp: 'Create one',
  cancel: 'Cancel',
  code: {
    title: 'Enter your code',
    label: 'Code',
    hint: 'The six digits that your authenticator app shows, or one of your backup codes.',
    submit: 'Continue',
    back: 'Use another account',
    lost: 'Lost both?',
    lostHelp:
      'An owner of your organization can turn off two-factor authentication for you. If not, ask your operator.',
    next: (seconds: number) => `Each code works once. The next one comes in ${seconds} s.`,
  },
  cookies: {
    title: 'Your browser did not keep you signed in',
    text: 'Signing in worked, but this browser dropped the cookie that keeps you signed in.',
    help: 'Browsers keep it only over HTTPS and on localhost. Open this page at such an address, or use a newer browser.',
  },
};

/** The words about sessions in one language. */
export type SessionWords = typeof words;
