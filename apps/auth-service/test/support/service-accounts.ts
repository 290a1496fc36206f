import { send, type SignedUp } from './client.ts';
import { ask, type AnswerOf } from './organizations.ts';
import type { RunningService } from './service.ts';

/** A service account as it is listed. */
export interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly createdBy: { readonly userId: string; readonly name: string | null };
  readonly keys: readonly ListedKey[];
}

interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly ending: string;
  readonly permissions: readonly string[] | null;
  readonly createdBy: { readonly userId: string; readonly name: string | null };
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

/** A key that was just made. */
export interface CreatedKey {
  readonly key: string;
  readonly apiKey: ListedKey;
}

/** A member who acts, and the organization. */
interface Place {
  readonly by: Pick<SignedUp, 'token'>;
  readonly organizationId: string;
}

export const inDays = (days: number): string =>
  new Date(Date.now() + days * 24 * 60 * 60 * 1_000).toISOString();

/** Asks for a service account; everybody may be refused. */
export const askForAccount = (service: RunningService, { by, organizationId }: Place, role = 'member') =>
  ask<{ serviceAccount: ListedAccount }>(service, `POST /organization/${organizationId}/service-accounts`, {
    token: by.token,
    body: { name: 'Nightly import', role },
  });

/** Makes a service account. */
export async function newAccount(
  service: RunningService,
  place: Place,
  role?: string,
): Promise<ListedAccount> {
  const { status, body } = await askForAccount(service, place, role);
  if (status !== 201) throw new Error(`a service account answered ${status}: ${JSON.stringify(body)}`);
  return body.serviceAccount;
}

/** Asks for a key, which ends in thirty days. */
export const askForKey = (
  service: RunningService,
  { by, organizationId }: Place,
  accountId: string,
  wanted: object = {},
): Promise<AnswerOf<CreatedKey>> =>
  ask<CreatedKey>(service, `POST /organization/${organizationId}/service-accounts/${accountId}/keys`, {
    token: by.token,
    body: { name: 'Server', expiresAt: inDays(30), ...wanted },
  });

/** Makes a key. */
export async function newKey(
  service: RunningService,
  place: Place,
  accountId: string,
  wanted: object = {},
): Promise<CreatedKey> {
  const { status, body } = await askForKey(service, place, accountId, wanted);
  if (status !== 201) throw new Error(`a key answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Exchanges a key. */
export const askForToken = (service: RunningService, key: string) =>
  ask<{ token: string; tokenExpiresAt: string }>(service, 'POST /service-token', { body: { key } });

/** An access token for a key. */
export async function tokenFor(service: RunningService, { key }: Pick<CreatedKey, 'key'>): Promise<string> {
  const { status, body } = await askForToken(service, key);
  if (status !== 200) throw new Error(`an exchange answered ${status}: ${JSON.stringify(body)}`);
  return body.token;
}

/** The service accounts of an organization. */
export async function accountsOf(service: RunningService, { by, organizationId }: Place) {
  const { token } = by;
  const path = `GET /organization/${organizationId}/service-accounts`;
  const answer = await ask<{ serviceAccounts: ListedAccount[] }>(service, path, { token });
  return answer.body.serviceAccounts;
}

/** Changes or deletes a service account, or deletes a key of it. */
export const act = (
  { app }: RunningService,
  { by, organizationId }: Place,
  [method, path]: readonly [method: 'PATCH' | 'DELETE', path: string],
  body?: object,
) =>
  send(app, `${method} /organization/${organizationId}/service-accounts/${path}`, {
    token: by.token,
    ...(body && { body }),
  });
