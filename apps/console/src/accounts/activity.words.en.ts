import type { OwnAction } from './accounts.queries.ts';

const actions: Readonly<Record<OwnAction, string>> = {
  'session.started': 'Signed in',
  'session.revoked': 'A session was ended',
  'sessions.revoked': 'Several sessions were ended',
  'session.reuse-detected': 'A session was ended: it was used in two places',
  'session.device-refused': 'A session was refused on another device',
  'session.address-refused': 'A session was refused on another network',
  'session.token-forged': 'A forged session was refused',
  'session.rebound': 'A session continued on another network',
  'account.locked': 'Sign-in was locked after wrong passwords',
  'password.changed': 'The password was changed',
  'password.reset': 'The password was reset with a mailed link',
  'email.verified': 'The address was confirmed',
  'email.changed': 'The address was changed',
  'profile.updated': 'The profile was changed',
  'two-factor.enabled': 'Two-factor authentication was turned on',
  'two-factor.disabled': 'Two-factor authentication was turned off',
  'two-factor.backup-codes-renewed': 'New backup codes were created',
  'two-factor.backup-code-used': 'A backup code was used',
  'account.claimed': 'The account was taken over by the owner of its address',
  'passkey.added': 'A passkey was added',
  'passkey.counter-fell': 'A passkey was refused because its counter decreased',
  'passkey.removed': 'A passkey was removed',
  'identity.linked': 'A provider account was linked',
  'identity.unlinked': 'A provider account was unlinked',
  'connection.linked': 'Single sign-on was linked',
  'connection.unlinked': 'Single sign-on was unlinked',
  'password.removed': 'The password was removed',
  'two-factor.reset': 'Two-factor authentication was turned off for you',
  'two-factor.locked': 'Codes were locked after too many wrong ones',
};

/** What is said about what happened to an account: other languages say the same. */
export const words = {
  title: 'Activity',
  about: 'What happened to your account. If something was not you, change your password.',
  actions,
  /** An action of a service that is newer than this page. */
  other: 'Something else happened',
  empty: 'Nothing has happened yet.',
  more: 'Show more',
};

/** The words about what happened to an account in one language. */
export type ActivityWords = typeof words;
