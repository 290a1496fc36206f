import { send, type SignedUp } from './client.ts';
import type { Names } from './name-server.ts';
import { ask } from './organizations.ts';
import type { RunningService } from './service.ts';

/** A domain as it is listed. */
export interface ListedDomain {
  readonly id: string;
  readonly domain: string;
  readonly joins: string;
  readonly state: string;
  readonly record: { readonly type: string; readonly name: string; readonly value: string };
  readonly createdBy: { readonly userId: string; readonly name: string | null };
  readonly verifiedAt: string | null;
  readonly suspendedAt: string | null;
  readonly readAt: string | null;
}

/** A member who acts, and the organization. */
export interface Place {
  readonly by: Pick<SignedUp, 'token'>;
  readonly organizationId: string;
}

/** What is asked of a joinable organization. */
export interface Joinable {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly twoFactorRequired: boolean;
}

let count = 0;

/** A domain that no other test has. */
export const newDomain = (): string => `acme-${(count += 1)}.example`;

/** Asks to add a domain; everybody may be refused. */
export const askToAdd = (
  service: RunningService,
  { by, organizationId }: Place,
  domain: string,
  joins = 'nobody',
) =>
  ask<{ domain: ListedDomain }>(service, `POST /organization/${organizationId}/domains`, {
    token: by.token,
    body: { domain, joins },
  });

/** Adds a domain. */
export async function addDomain(
  service: RunningService,
  place: Place,
  domain = newDomain(),
  joins?: string,
): Promise<ListedDomain> {
  const { status, body } = await askToAdd(service, place, domain, joins);
  if (status !== 201) throw new Error(`a domain answered ${status}: ${JSON.stringify(body)}`);
  return body.domain;
}

/** Has a domain checked. */
export const check = (service: RunningService, { by, organizationId }: Place, id: string) =>
  ask<{ domain: ListedDomain }>(service, `POST /organization/${organizationId}/domains/${id}/verify`, {
    token: by.token,
  });

/** Adds a domain with its record, and proves it. */
export async function proveDomain(
  service: RunningService,
  { zone }: Names,
  { domain, joins, ...place }: Place & { readonly domain?: string; readonly joins?: string },
): Promise<ListedDomain> {
  const { id, record } = await addDomain(service, place, domain, joins);
  zone.set(record.name, { texts: [record.value] });
  const { status, body } = await check(service, place, id);
  if (status !== 200) throw new Error(`a check answered ${status}: ${JSON.stringify(body)}`);
  return body.domain;
}

/** The domains of an organization. */
export async function domainsOf(service: RunningService, { by, organizationId }: Place) {
  const path = `GET /organization/${organizationId}/domains`;
  const { body } = await ask<{ domains: ListedDomain[] }>(service, path, { token: by.token });
  return body.domains;
}

/** Changes or deletes a domain. */
export const act = (
  { app }: RunningService,
  { by, organizationId }: Place,
  [method, id]: readonly [method: 'PATCH' | 'DELETE', id: string],
  body?: object,
) =>
  send(app, `${method} /organization/${organizationId}/domains/${id}`, {
    token: by.token,
    ...(body && { body }),
  });

/** The organizations that a user may join. */
export async function joinableBy(service: RunningService, { token }: Pick<SignedUp, 'token'>) {
  const { body } = await ask<{ organizations: Joinable[] }>(service, 'GET /organization/joinable', { token });
  return body.organizations;
}

/** Joins an organization. */
export const join = (service: RunningService, { token }: Pick<SignedUp, 'token'>, organizationId: string) =>
  ask<{ organization: { id: string; name: string; role: string } }>(service, 'POST /organization/join', {
    token,
    body: { organizationId },
  });
