import type { Service } from '@tenantry/service/http';
import { testClock, type TestClock } from '@tenantry/test-kit';
import { codeAt } from './authenticator.ts';
import { password, send, signIn, signUp, type Answer, type SignedUp } from './client.ts';
import { startService, type RunningService, type ServiceOptions } from './service.ts';

/** The service by a clock that tests move. */
export async function startByClock(
  options: ServiceOptions = {},
): Promise<RunningService & { readonly clock: TestClock }> {
  const clock = testClock(new Date());
  const service = await startService({ ...options, now: () => new Date(clock()) });
  return { ...service, clock };
}

/** What an authenticator app shows now. */
export function codeNow(secret: string, clock: TestClock): string {
  return codeAt(secret, new Date(clock()));
}

/** Waits for the next code: each works once. */
export function nextCode(secret: string, clock: TestClock): string {
  clock.advance({ seconds: 30 });
  return codeNow(secret, clock);
}

/** Six digits that are right neither now nor a step before or after. */
export function wrongCode(secret: string, clock: TestClock): string {
  const near = [-30_000, 0, 30_000].map((offset) => codeAt(secret, new Date(clock() + offset)));
  const wrong = ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code));
  if (wrong === undefined) throw new Error('unreachable: three codes cannot be four');
  return wrong;
}

/** A user with a second factor. */
export interface Enrolled extends SignedUp {
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** Makes an account and turns its second factor on; the session is the one of after. */
export async function enrol(app: Service, clock: TestClock, name?: string): Promise<Enrolled> {
  const user = await signUp(app, name);
  const begun = await send(app, 'POST /two-factor/enable', { token: user.token, body: { password } });
  const { secret, backupCodes } = begun.body;
  const confirmed = await verifyTotp(app, { token: user.token, code: nextCode(secret, clock) });
  if (confirmed.status !== 200) throw new Error(`the set-up answered ${confirmed.status}`);
  const { session } = confirmed.body;
  const { id: sessionId, token, refreshToken } = session;
  return { ...user, token, refreshToken, sessionId, secret, backupCodes };
}

/** What a code is given with. */
export interface CodeRequest {
  readonly code: string;
  readonly token?: string;
  readonly challengeToken?: string;
  /** Of the session that is stepped up, to have it renewed. */
  readonly refreshToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives a code of the authenticator. */
export function verifyTotp(app: Service, request: CodeRequest): Promise<Answer> {
  return give(app, 'verify-totp', request);
}

/** Gives a backup code. */
export function verifyBackupCode(app: Service, request: CodeRequest): Promise<Answer> {
  return give(app, 'verify-backup-code', request);
}

function give(
  app: Service,
  path: string,
  { code, challengeToken, refreshToken, ...request }: CodeRequest,
): Promise<Answer> {
  const body = {
    code,
    ...(challengeToken !== undefined && { challengeToken }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
  return send(app, `POST /two-factor/${path}`, { ...request, body });
}

/** Signs in with the password, as far as that goes. */
export async function challengeOf(
  app: Service,
  email: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, body } = await signIn(app, email, headers);
  if (status !== 200 || !body.twoFactorRequired) throw new Error(`no challenge: ${status}`);
  return body.challenge.token;
}
