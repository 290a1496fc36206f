import { randomUUID } from 'node:crypto';
import { password, post } from '../auth-process.ts';

/** Somebody with an organization that is active in their session. */
export interface PeerMember {
  readonly organizationId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs somebody up at the glued server and makes them an organization, which is then active. */
export async function signUpAtPeer(origin: string): Promise<PeerMember> {
  const email = `${randomUUID()}@example.com`;
  const signedUp = await ask('sign-up/email', { email, password, name: 'Ada' });
  const cookies = signedUp.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const headers = { cookie: cookies.join('; '), origin };
  const slug = `engines-${randomUUID().slice(0, 8)}`;
  const created = await ask('organization/create', { name: 'Engines', slug }, headers);
  const { id } = JSON.parse(created.text) as { id: string };
  await ask('organization/set-active', { organizationId: id }, headers);
  return { organizationId: id, headers };

  async function ask(path: string, body: object, sent = {}) {
    const answer = await post(`${origin}/api/auth/${path}`, body, { origin, ...sent });
    if (answer.status >= 300) throw new Error(`${path} is ${answer.status} ${answer.text}`);
    return answer;
  }
}
