/** What is said about signing in without a password: other languages say the same. */
export const words = {
  byPasskey: 'Sign in with a passkey',
  usePasskey: 'Use a passkey',
  continueWith: (provider: string) => `Continue with ${provider}`,
  passkeyOnly: 'Confirm with one of your passkeys or a backup code.',
  back: {
    title: 'Signing in',
    linking: 'Linking your account',
    wait: 'One moment.',
    failed: 'That did not work',
    signIn: 'Go to sign-in',
    account: 'Go to your account',
    errors: {
      ACCESS_DENIED: 'Access was not granted. Start again, or sign in another way.',
      PROVIDER_UNAVAILABLE: 'The provider cannot be reached right now. Try again in a moment.',
      PROVIDER_REFUSED: 'The provider refused the sign-in. Start again, or sign in another way.',
    } as Readonly<Record<string, string>>,
  },
};

/** The words about signing in without a password in one language. */
export type WaysWords = typeof words;
