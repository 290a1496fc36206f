/** What is said about the ways to sign in: other languages say the same. */
export const words = {
  title: 'Ways to sign in',
  about: 'Add a second one, so that losing one does not lock you out. You cannot remove the last one.',
  list: 'Your ways to sign in',
  password: 'Password',
  noPassword: 'You have no password. To choose one, get a link by e-mail.',
  choosePassword: 'Choose a password',
  mailed: 'Code by e-mail',
  mailedAbout: 'Mailed to your confirmed address',
  passkey: 'Passkey',
  added: (day: string) => `Added ${day}`,
  used: (ago: string) => `Used ${ago}`,
  neverUsed: 'Not used yet',
  synced: 'Synced to several devices',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  unlink: 'Unlink',
  unlinkOf: (name: string) => `Unlink ${name}`,
  passkeyName: 'Name of the new passkey',
  passkeyHint: 'To recognize it later: your phone, your key.',
  passkeysAt: 'Browsers have passkeys for names only. To add one, open this page at',
  addPasskey: 'Add a passkey',
  link: (provider: string) => `Link ${provider}`,
};

/** The words about the ways to sign in in one language. */
export type WaysInWords = typeof words;
