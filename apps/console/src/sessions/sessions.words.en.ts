/** What is said about sessions: other languages say the same. */
export const words = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  show: 'Show',
  hide: 'Hide',
  signIn: 'Sign in',
  goOn: 'Continue',
  forgot: 'Forgot your password?',
  resend: 'Did not get the confirmation e-mail?',
  byMail: 'Send me a code',
  byPassword: 'Use your password',
  noAccount: 'No account yet?',
  signUp: 'Create one',
  cancel: 'Cancel',
  code: {
    title: 'Enter your code',
    label: 'Code',
  },
};

/** The words about sessions in one language. */
export type SessionWords = typeof words;
