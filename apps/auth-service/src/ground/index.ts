/** What every wing uses: secrets, limits, callers, requests, and background work. */
export { createGround } from './ground.ts';
export type { Ground, GroundOptions } from './ground.ts';

// time
export { DatabaseClock } from './clock/database-clock.ts';

// secrets
export { SecretRing } from './secrets/auth-secret.ts';
export type { AuthSecret } from './secrets/auth-secret.ts';
// callers
export { actingIn, organizationOfPath } from './callers/caller.ts';
export type { Caller, Membership, User } from './callers/caller.ts';
export { notLetIn, notLetInRefusals, organizationNotFound } from './callers/callers.errors.ts';
export type { EntryRefusal } from './callers/callers.errors.ts';
export {
  deviceProperties,
  IdPath,
  MembershipSchema,
  OrganizationPath,
  roles,
  RoleSchema,
  UserSchema,
} from './callers/callers.schemas.ts';
export { byOperator, contextIn, contextOf, userActor } from './callers/context.ts';
export type {
  CallerContext,
  Context,
  MemberContext,
  OrganizationContext,
  SignedIn,
} from './callers/context.ts';
export {
  addressKeyOf,
  bindTo,
  boundDevice,
  clientMark,
  deviceMark,
  deviceName,
  readClient,
  whereaboutsOf,
} from './callers/client.ts';
export type { BoundClient, Client } from './callers/client.ts';
export { describeDevice } from './callers/user-agent.ts';

// requests
export {
  EmailSchema,
  LinkTokenSchema,
  NameSchema,
  OwnPassword,
  OwnPasswordBody,
  pageProperties,
  PageQuerySchema,
  PasswordSchema,
  SuccessAnswer,
} from './http/fields.schemas.ts';
export type { PageQuery } from './http/fields.schemas.ts';
export { tidyLanguage, tidyTimeZone } from './http/locales.ts';
export { tidyBody } from './http/tidying.ts';

// limits
export { countRefused } from './limits/count-refused.ts';
export { countChange } from './limits/count-change.ts';
export type { ChangeOutcome } from './limits/count-change.ts';
// between requests
export { createBackground } from './background/background.ts';
export type { Background } from './background/background.ts';
export { RepeatedWork } from './background/repeated-work.ts';
export { defineSweep, defineSweepBy, sweepBatch } from './background/sweep.repository.ts';
export { healthRoutes } from './health/health.routes.ts';
