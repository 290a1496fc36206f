/** What is said about signing in without a password: other languages say the same. */
export const words = {
  byPasskey: 'Sign in with a passkey',
  usePasskey: 'Use a passkey',
  continueWith: (provider: string) => `Continue with ${provider}`,
  passkeyOnly: 'Confirm with a passkey of yours, or with a backup code.',
  back: {
    title: 'Signing in',
    linking: 'Linking your account',
    wait: 'One moment.',
    failed: 'That did not work',
    signIn: 'Go to the sign-in',
    account: 'Go to your account',
    errors: {
      ACCESS_DENIED: 'You did not allow it there. Begin again, or use another way.',
      PROVIDER_UNAVAILABLE: 'The provider cannot be reached right now. Try again in a moment.',
      PROVIDER_REFUSED: 'The provider did not let you in. Begin again, or use another way.',
    } as Readonly<Record<string, string>>,
  },
};

/** The words about signing in without a password in one language. */
export type WaysWords = typeof words;
