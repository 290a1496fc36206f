import { randomUUID } from 'node:crypto';
import type { Service } from '@tenantry/service/http';
import { canary } from '@tenantry/test-kit';
import { expect } from 'vitest';

/** Every field that an answer of the service may have; which of them it has is for the test to say. */
export interface AnswerBody {
  readonly code: string;
  readonly reason: string | undefined;
  readonly message: string;
  readonly requestId: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly user: UserAnswer & { readonly organizationId: string | null };
  readonly session: SessionAnswer;
  readonly sessions: readonly {
    readonly id: string;
    readonly current: boolean;
    readonly device: string;
    readonly ipAddress: string | null;
    readonly organizationId: string;
  }[];
  readonly organization: OrganizationAnswer;
  readonly organizations: readonly (OrganizationAnswer & { readonly active: boolean })[];
  readonly keys: readonly Readonly<Record<string, string>>[];
  readonly token: string;
  readonly revoked: number;
  readonly status: string;
  readonly uptime: number;
  readonly twoFactorRequired: boolean;
  readonly challenge: {
    readonly token: string;
    readonly expiresAt: string;
    readonly methods: readonly string[];
  };
  readonly totpUri: string;
  readonly qrCode: string;
  readonly secret: string;
  readonly backupCodes: readonly string[];
  readonly backupCodesLeft: number;
  readonly enabled: boolean;
  readonly verified: boolean;
  readonly options: {
    readonly challenge: string;
    readonly user: { readonly id: string };
    readonly allowCredentials: readonly { readonly id: string }[];
  };
  readonly passkey: { readonly id: string; readonly name: string };
  /** Of a letter to sign in with. */
  readonly request: { readonly id: string };
  readonly resetToken: string;
}
interface UserAnswer {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
interface SessionAnswer {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: string;
  readonly tokenExpiresAt: string;
  readonly refreshToken: string;
}
interface OrganizationAnswer {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly role: string;
}

/** One answer, parsed; undefined as a body is an empty one. */
export interface Answer {
  readonly status: number;
  readonly body: AnswerBody;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What a request may carry. */
export interface Request {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request through the whole service, as `GET /session` under /api/auth. */
export async function send(app: Service, request: string, options: Request = {}): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const { body, token, headers = {} } = options;
  const answer = await app.inject({
    method: method as 'GET',
    url: path.startsWith('/api') || path.startsWith('/.') ? path : `/api/auth${path}`,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: (isJson(answer.headers['content-type']) ? JSON.parse(answer.body) : undefined) as AnswerBody,
  };
}

const isJson = (mediaType: unknown): boolean => /^application\/(?:[\w-]+\+)?json\b/.test(String(mediaType));

/** In an expectation: any text. */
export const anyString = expect.any(String) as string;

export const password = `correct horse ${canary}`;
/** What they change it to. */
export const newPassword = `another battery ${canary}`;

/** An e-mail address that is used nowhere else. */
export function newEmail(): string {
  return `ada.${randomUUID()}@example.com`;
}

/** A user with a session. */
export interface SignedUp {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly sessionId: string;
}

/** Makes an account. */
export async function signUp(
  app: Service,
  name = 'Ada Lovelace',
  headers: Readonly<Record<string, string>> = {},
): Promise<SignedUp> {
  const email = newEmail();
  const { status, body } = await send(app, 'POST /sign-up/email', {
    body: { email, password, name },
    headers,
  });
  if (status !== 201) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`);
  const { token, refreshToken, id: sessionId } = body.session;
  return { id: body.user.id, email, name, token, refreshToken, sessionId };
}

/** Signs in from one more device. */
export function signIn(
  app: Service,
  email: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(app, 'POST /sign-in/email', { body: { email, password }, headers });
}

/** Takes a refresh token for the next one. */
export function refresh(
  app: Service,
  refreshToken: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(app, 'POST /refresh', { body: { refreshToken }, headers });
}

/** The claims of a token, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}
