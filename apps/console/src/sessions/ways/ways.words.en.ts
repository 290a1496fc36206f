/** What is said about signing in beyond the address and the password: other languages say the same. */
export const words = {
  byPasskey: 'Sign in with a passkey',
  usePasskey: 'Use a passkey',
  continueWith: (provider: string) => `Continue with ${provider}`,
  passkeyOnly: 'Confirm with one of your passkeys or a backup code.',
  organization: {
    go: 'Continue with your organization',
    other: 'Use another address',
    unknown: 'No organization signs people in by this link. Sign in with your address.',
  },
  code: {
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
      INVALID_STATE: 'This sign-in is over. Start again.',
      RATE_LIMITED: 'Too many people are signing in at once. Try again in a minute.',
      EMAIL_MISSING: 'Your organization sent no e-mail address for you. Ask your administrator.',
      DOMAIN_NOT_VERIFIED: 'Your organization may not speak for your e-mail address. Ask your administrator.',
      EMAIL_NOT_VERIFIED:
        'There is an account with your e-mail address that is not confirmed. Reset its password to confirm it, then start again.',
      LINK_REQUIRED:
        'You own this organization. Sign in with two factors, and link single sign-on before you use it.',
      IDENTITY_IN_USE: 'This account belongs to somebody else at your organization. Ask your administrator.',
      MEMBER_REMOVED: 'The organization has removed you. Ask it for an invitation.',
      INVALID_CREDENTIALS: 'This account cannot be used. Ask your administrator.',
    } as Readonly<Record<string, string>>,
  },
};

/** The words about signing in beyond the password in one language. */
export type WaysWords = typeof words;
