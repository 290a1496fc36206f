import { Calls } from './calls.ts';
import { operations, type OperationId, type Operations } from './generated/operations.ts';
import type { KeyOptions, PageOptions, TokenOptions } from './options.ts';
import { operationOf } from './requests.ts';

/** A client for the API: a method for each operation. */
export type Tenantry = Operations;

/**
 * Creates a client. In a page the session is in cookies; a program has the key of a service account, or a session, whose
 * tokens it stores itself.
 *
 * @example
 * const tenantry = createTenantry({ onSignedOut: () => location.assign('/sign-in') });
 * const { data } = await tenantry.listLeads({ query: { status: ['new'] } });
 * @example
 * const tenantry = createTenantry({ baseUrl: 'https://api.example.com', tokens: tokensInMemory() });
 * await tenantry.signInWithEmail({ body: { email, password } });
 * @example
 * const tenantry = createTenantry({ baseUrl: 'https://api.example.com', key: process.env.TENANTRY_KEY });
 */
export function createTenantry(options: PageOptions | TokenOptions | KeyOptions = {}): Tenantry {
  if ('key' in options && !(options.key && options.baseUrl)) throw new TypeError('Give a key and a baseUrl.');
  const calls = new Calls(options);
  const ids = Object.keys(operations) as OperationId[];
  return Object.fromEntries(
    ids.map((id) => [id, (request?: object) => calls.list(id, request)]),
  ) as unknown as Tenantry;
}

/**
 * Whether a user with these permissions may call an operation, so that a front end offers only those.
 *
 * @param permissions those of `getStart`
 * @example mayCall(start.permissions, 'createLead')
 */
export function mayCall(permissions: readonly string[], id: OperationId): boolean {
  const { permission } = operationOf(id);
  return permission === undefined || permissions.includes(permission);
}

export { isErrorOf, isTenantryError, TenantryError } from './errors.ts';
export type { ClientCode, CodeOf, ErrorCode, ReasonOf } from './errors.ts';
export type { CommonCode, OperationId, Operations } from './generated/operations.ts';
export type {
  Answer,
  CallOptions,
  IfMatch,
  Keyed,
  ListCall,
  ListMethod,
  Method,
  Page,
  SentFile,
} from './methods.ts';
export { tokensInMemory } from './options.ts';
export type {
  Device,
  Handlers,
  KeyOptions,
  PageOptions,
  SignedOutReason,
  TokenOptions,
  Tokens,
  TokenStore,
} from './options.ts';
export type {
  OnRebind,
  OnStepUp,
  RebindDemand,
  SecondFactorMethod,
  SignInMethod,
  StepUpAnswer,
  StepUpDemand,
} from './step-up.ts';
/** The schemas of the API's requests and responses. */
export type * as api from './generated/types.ts';
