/** What is said about two-factor authentication: other languages say the same. */
export const words = {
  title: 'Two-factor authentication',
  about:
    'Signing in also requires a code from your phone or a passkey, so that a stolen password is not enough.',
  off: 'It is off.',
  on: 'It is on.',
  codesLeft: (count: number) =>
    count === 1 ? 'One backup code is left.' : `${count} backup codes are left.`,
  noCodesLeft: 'No backup codes are left: create new ones before you lose your phone.',
  turnOn: 'Turn on',
  turnOnByPasskey: 'Turn on with a passkey',
  turnOff: 'Turn off',
  renew: 'New backup codes',
  password: 'Password',
  cancel: 'Cancel',
  begin: {
    title: 'Turn on two-factor authentication',
    text: 'Enter your password to begin.',
    bare: 'In the next step you scan a QR code with your authenticator app.',
    byPasskey: 'Confirm with one of your passkeys. You get backup codes in case you lose it.',
    submit: 'Continue',
  },
  scan: {
    title: 'Add Tenantry to your authenticator app',
    text: 'Scan the QR code with the app, or enter the secret in it. Then enter the code that it shows.',
    picture: 'QR code for the authenticator app',
    secret: 'Secret',
    code: 'Code',
    submit: 'Turn on',
  },
  codes: {
    title: 'Save your backup codes',
    text: 'Each one replaces the second factor once. They are shown only now.',
    list: 'Backup codes',
    save: 'Save as a file',
    print: 'Print',
    file: 'tenantry-backup-codes.txt',
    heading: (email: string) => `Backup codes of ${email} for Tenantry. Each works once.`,
    done: 'I have saved them',
  },
  leave: {
    title: 'Turn off two-factor authentication',
    text: 'From then on you sign in without a second factor.',
    codeHint: 'From your authenticator app, or a backup code.',
    orPasskey: 'From your authenticator app, or a backup code. Leave it empty to use a passkey.',
  },
  copy: 'Copy',
  copied: 'Copied',
  uncopied: 'Copy it by hand',
};

/** The words about two-factor authentication in one language. */
export type TwoFactorWords = typeof words;
