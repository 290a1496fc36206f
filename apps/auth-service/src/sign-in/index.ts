/** Signing in: a method proves the user, a second factor may have to follow, a session starts. */
export { createMailboxMethods, createSignIn } from './wing.ts';
export type { SignIn } from './wing.ts';
export type { Method, Proof } from './proof.ts';
export { signInResponse } from './sign-in.responses.ts';
export type { Challenged } from './sign-in.ts';
export type { Undone } from './first-proof.ts';
export { SignInOfferSchema } from './ways-in/ways-in.schemas.ts';
export type {
  Admission,
  Newcomers,
  ProvenNewcomer,
  ReclaimPersonal,
  ReturnAccount,
  Stranger,
} from './newcomers.ts';
export { signInRoutes } from './sign-in.routes.ts';
export { StateAnswer as TwoFactorStateSchema } from './second-factors/second-factors.schemas.ts';
// what sign-ins at other servers share
export { admitProfile } from './methods/providers/admit-profile.ts';
export { displayName } from './flows/display-names.ts';
export { codeChallengeMissing, invalidTicket, unknownState } from './flows/flows.errors.ts';
export type { ProvenFlow, ReturnedFlow, TicketClaim } from './flows/flows.ts';
export { authorizationUrlOf, exchangeCode, textIn } from './flows/code-exchange.ts';
export type { Claims, Said } from './flows/code-exchange.ts';
export { failureOf, fetchBy } from './flows/provider-calls.ts';
export { ProviderFailure } from './flows/provider.ts';
export type { ProviderReturn, ProviderVisit } from './flows/provider.ts';
export { allowedRedirect, returnTo } from './flows/redirects.ts';
export { textsIn } from './flows/returned-texts.http.ts';
export { providerUnavailable } from './methods/providers/providers.errors.ts';
export { TicketBody, VisitAnswer, visitFields } from './methods/providers/providers.schemas.ts';
export { invalidCredentials } from './sign-in.errors.ts';
export { continuing, SignInAnswer } from './sign-in.schemas.ts';
export type { NormalizedPassword } from './methods/passwords/password-policy.ts';
