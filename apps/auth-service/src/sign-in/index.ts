/** Signing in: a method proves the user, a second factor may have to follow, a session starts. */
export { createSignIn } from './wing.ts';
export type { SignIn } from './wing.ts';
export type { Method, Proof } from './proof.ts';
export { signInResponse } from './sign-in.responses.ts';
export type { Undone } from './first-proof.ts';
export { SignInOfferSchema } from './ways-in/ways-in.schemas.ts';
export type {
  Admission,
  MailboxOwners,
  Newcomers,
  ProvenNewcomer,
  ReclaimPersonal,
  ReturnAccount,
  Stranger,
} from './newcomers.ts';
export { signInRoutes } from './sign-in.routes.ts';
export { StateAnswer as TwoFactorStateSchema } from './second-factors/second-factors.schemas.ts';
export type { NormalizedPassword } from './methods/passwords/password-policy.ts';
