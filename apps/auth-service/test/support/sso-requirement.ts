import { randomUUID } from 'node:crypto';
import type { TestClock } from '@tenantry/test-kit';
import { send, type Answer, type SignedUp } from './client.ts';
import { connectedCompany, type ConnectedCompany } from './connections.ts';
import { enter, prove, switchTo } from './organizations.ts';
import type { RunningService } from './service.ts';
import { enrol, type Enrolled } from './two-factor.ts';
import type { StandInProvider } from './stand-in-provider.ts';

/** A service by a clock that tests move. */
export type ClockedService = RunningService & { readonly clock: TestClock };

/** A company whose owner, with an address in its domain and two factors, may require single sign-on. */
export interface TriedCompany extends ConnectedCompany {
  readonly owner: Enrolled;
}

/** Gives a user an address in a domain, as confirmed. */
export async function moveTo<User extends SignedUp>(
  service: RunningService,
  user: User,
  domain: string,
): Promise<User> {
  const email = `${user.name.split(' ')[0]!.toLowerCase()}.${randomUUID()}@${domain}`;
  await service.sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
  await prove(service, user);
  return { ...user, email };
}

/** The owner links the connection, and has just signed in by it, past the identity provider. */
export async function tryConnection(
  { sql }: RunningService,
  { id, connection }: Pick<ConnectedCompany, 'id' | 'connection'>,
  { userId, at }: { readonly userId: string; readonly at: Date },
): Promise<void> {
  await sql(
    `INSERT INTO connection_identities (organization_id, connection_id, subject, user_id, is_own, created_at, last_used_at)
     VALUES ($1, $2, $3, $4, true, $5, $5)
     ON CONFLICT (organization_id, connection_id, user_id) DO UPDATE SET last_used_at = $5`,
    [id, connection.id, `sub-${userId}`, userId, at],
  );
}

/** Founds a company that may require single sign-on. */
export async function triedCompany(service: ClockedService, idp: StandInProvider): Promise<TriedCompany> {
  const company = await connectedCompany(service, idp);
  const owner = await moveTo(
    service,
    await enrol(service.app, service.clock, 'Olivia Owner'),
    company.domain,
  );
  await enter(service, company.id, owner, 'owner');
  await service.sql(`DELETE FROM members WHERE organization_id = $1 AND user_id = $2`, [
    company.id,
    company.owner.id,
  ]);
  const token = await switchTo(service, owner.token, company.id);
  await tryConnection(service, company, { userId: owner.id, at: new Date(service.clock()) });
  const [admin, member] = await Promise.all(
    [company.admin, company.member].map((user) => moveTo(service, user, company.domain)),
  );
  return { ...company, owner, admin: admin!, member: member!, token };
}

/** Asks to require single sign-on, or to do so no more. */
export const askToRequire = (
  { app }: RunningService,
  { id, token }: { readonly id: string; readonly token: string },
  required = true,
): Promise<Answer> => send(app, `PUT /organization/${id}/sso-requirement`, { token, body: { required } });

/** Founds a company that requires single sign-on. */
export async function strictCompany(service: ClockedService, idp: StandInProvider): Promise<TriedCompany> {
  const company = await triedCompany(service, idp);
  const { status, body } = await askToRequire(service, company);
  if (status !== 200) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return { ...company, token: body.session.token };
}
