import { randomUUID } from 'node:crypto';
import { canary, patience } from '@tenantry/test-kit';

/** An answer with its body parsed. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** What sign-up, sign-in and switch answer, as far as tests read it. */
interface SessionBody {
  session: { token: string };
}

/** One request through the gateway. */
export async function call<Body = unknown>(
  url: string,
  request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  { token, body }: { token?: string; body?: object } = {},
): Promise<Answer<Body>> {
  const [method, path] = request.split(' ') as [string, string];
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patience()),
  });
  const text = await response.text();
  const parsed = (text === '' ? undefined : JSON.parse(text)) as Body;
  return { status: response.status, headers: response.headers, body: parsed };
}

/** A person with an organization of their own, and a token in its context. */
export interface Tenant {
  email: string;
  password: string;
  token: string;
  organizationId: string;
}

/** Signs somebody up, creates an organization and switches to it, as a newcomer would. */
export async function newTenant(url: string, name: string): Promise<Tenant> {
  const email = `${name.toLowerCase()}-${randomUUID()}@tenant.example`;
  const password = `${canary} ${randomUUID()}`;
  const signUp = await call<SessionBody>(url, 'POST /api/auth/sign-up/email', {
    body: { email, password, name },
  });
  if (signUp.status !== 201) throw new Error(`sign-up is ${signUp.status} ${JSON.stringify(signUp.body)}`);
  const first = signUp.body.session.token;
  const created = await call<{ organization: { id: string } }>(url, 'POST /api/auth/organization/create', {
    token: first,
    body: { name: `${name} AS`, slug: `${name.toLowerCase()}-${randomUUID().slice(0, 8)}` },
  });
  const organizationId = created.body.organization.id;
  const switched = await call<SessionBody>(url, 'POST /api/auth/organization/switch', {
    token: first,
    body: { organizationId },
  });
  return { email, password, organizationId, token: switched.body.session.token };
}

/** Signs somebody in; the token is for the organization they were last active in. */
export async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<{ token: string }> {
  const answer = await call<SessionBody>(url, 'POST /api/auth/sign-in/email', { body: { email, password } });
  if (answer.status !== 200) throw new Error(`sign-in is ${answer.status} ${JSON.stringify(answer.body)}`);
  return { token: answer.body.session.token };
}
