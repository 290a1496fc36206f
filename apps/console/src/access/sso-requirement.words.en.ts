/** What is said about single sign-on that is required: other languages say the same. */
export const words = {
  title: 'Require it',
  about:
    'Members with an address in a verified domain then get in through your identity provider, and in no other way. Guests with an address elsewhere and programs are not concerned.',
  owners:
    'Owners keep a way of their own, with two factors, in case the identity provider fails. All owners get an e-mail each time.',
  allKnow: 'Everybody concerned has signed in by it before.',
  lockedOut: (total: number) =>
    total === 1
      ? 'One member has never signed in by it, and loses access until they do:'
      : `${total} members have never signed in by it, and lose access until they do:`,
  more: (total: number) => `and ${total} more`,
  untried:
    'Try it first: link your own account, then sign in through the identity provider in a private window. After that you have an hour to require it.',
  tried: (until: string) => `You have signed in by it. You can require it until ${until}.`,
  require: 'Require single sign-on',
  sure: (total: number) =>
    total === 0
      ? 'Everybody concerned gets in through the identity provider from now on.'
      : `Everybody concerned gets in through the identity provider from now on. ${total === 1 ? 'One member has' : `${total} members have`} never done so.`,
  confirm: 'Require it',
  required: 'Single sign-on is now required.',
  on: 'It is required. Whoever it concerns gets in through your identity provider alone.',
  stop: 'Stop requiring it',
  stopSure: 'Everybody gets in with the ways to sign in of their own again.',
  stopped: 'Single sign-on is no longer required.',
  account: 'Go to your account',
  cancel: 'Cancel',
};

/** The words for single sign-on that is required, in one language. */
export type SsoRequirementWords = typeof words;
