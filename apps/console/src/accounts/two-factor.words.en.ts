/** What is said about two-factor authentication: other languages say the same. */
export const words = {
  title: 'Two-factor authentication',
  about:
    'Signing in asks for a code of your phone or a passkey too, so that a stolen password is not enough.',
  off: 'It is off.',
  on: 'It is on.',
  codesLeft: (count: number) =>
    count === 1 ? 'One backup code is left.' : `${count} backup codes are left.`,
  noCodesLeft: 'No backup code is left: make new ones before you lose your phone.',
  turnOn: 'Turn on',
  turnOnByPasskey: 'Turn on with a passkey',
  turnOff: 'Turn off',
  renew: 'New backup codes',
  password: 'Password',
  cancel: 'Cancel',
  begin: {
    title: 'Turn on two-factor authentication',
    text: 'Enter your password to begin.',
    bare: 'Scan a picture with your authenticator app in the next step.',
    byPasskey: 'Confirm with a passkey of yours. You get backup codes for when it is lost.',
    submit: 'Go on',
  },
  scan: {
    title: 'Add Tenantry to your authenticator app',
    text: 'Scan the picture with the app, or type the secret into it. Then enter the code that it shows.',
    picture: 'QR code for the authenticator app',
    secret: 'Secret',
    code: 'Code',
    submit: 'Turn on',
  },
  codes: {
    title: 'Keep your backup codes',
    text: 'Each of them signs you in once in place of the second factor. They are shown only now.',
    list: 'Backup codes',
    save: 'Save as a file',
    print: 'Print',
    file: 'tenantry-backup-codes.txt',
    heading: (email: string) => `Backup codes of ${email} for Tenantry. Each works once.`,
    done: 'I have saved them',
  },
  leave: {
    title: 'Turn off two-factor authentication',
    text: 'From then on one proof alone signs you in.',
    codeHint: 'Of your authenticator app, or a backup code.',
    orPasskey: 'Of your authenticator app, or a backup code. Leave it empty to use a passkey.',
  },
  copy: 'Copy',
  copied: 'Copied',
  uncopied: 'Copy it by hand',
};

/** The words about two-factor authentication in one language. */
export type TwoFactorWords = typeof words;
