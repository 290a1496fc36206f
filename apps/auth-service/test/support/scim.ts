import { randomUUID } from 'node:crypto';
import { password } from './client.ts';
import {
  connectionsOf,
  newDomain,
  ownedCompany,
  verifyDomain,
  type ConnectionBody,
  type OwnedCompany,
} from './connections.ts';
import { ask, type AnswerOf } from './organizations.ts';
import type { RunningService } from './service.ts';

/** Every field that an answer by SCIM may have. */
export interface ScimBody {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType: string;
  readonly detail: string;
  readonly id: string;
  readonly userName: string;
  readonly externalId: string;
  readonly active: boolean;
  readonly displayName: string;
  readonly members: readonly Readonly<Record<string, string>>[];
  readonly title: string;
  readonly name: Readonly<Record<string, string>>;
  readonly emails: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly resourceType: string; readonly location: string; readonly created: string };
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly ScimBody[];
  readonly [extension: `urn:${string}`]: Readonly<Record<string, unknown>>;
}

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: ScimBody;
}

export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A company whose directory has a token. */
export interface DirectoryCompany extends OwnedCompany {
  readonly domain: string;
  readonly connection: ConnectionBody;
  readonly scimToken: string;
}

/** Founds a company with a verified domain, a connection that is off, and a token for its directory. */
export async function directoryCompany(service: RunningService): Promise<DirectoryCompany> {
  const company = await ownedCompany(service);
  const domain = newDomain();
  await verifyDomain(service, company, domain);
  const connection = await connectionsOf(service, company).create('entra');
  const scimToken = await newScimToken(service, company, connection.id);
  return { ...company, domain, connection, scimToken };
}

/** What the routes of tokens answer. */
export interface ScimTokenBody {
  readonly token: string;
  readonly reason: string;
  readonly scimToken: { readonly id: string; readonly ending: string };
  readonly scimTokens: readonly {
    readonly id: string;
    readonly ending: string;
    readonly lastUsedAt: string | null;
  }[];
}

/** Asks for a token of a directory. */
export function askForScimToken(
  service: RunningService,
  { id, token }: Pick<OwnedCompany, 'id' | 'token'>,
  connectionId: string,
): Promise<AnswerOf<ScimTokenBody>> {
  const path = `POST /organization/${id}/connections/${connectionId}/scim-tokens`;
  return ask(service, path, { token, body: { password } });
}

/** A new token of a directory. */
export async function newScimToken(
  service: RunningService,
  company: Pick<OwnedCompany, 'id' | 'token'>,
  connectionId: string,
): Promise<string> {
  const { status, body } = await askForScimToken(service, company, connectionId);
  if (status !== 201) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return body.token;
}

/** What the routes of groups answer owners. */
export interface GroupsBody {
  readonly reason: string;
  readonly groups: readonly DirectoryGroupBody[];
  readonly group: DirectoryGroupBody;
}
interface DirectoryGroupBody {
  readonly id: string;
  readonly displayName: string;
  readonly role: string | null;
  readonly people: number;
}

/** Reads the groups of a directory, and gives them roles, as an owner does. */
export function groupsOf(
  service: RunningService,
  { id, token, connection }: Pick<DirectoryCompany, 'id' | 'token' | 'connection'>,
) {
  const path = `/organization/${id}/connections/${connection.id}/groups`;
  return {
    list: () => ask<GroupsBody>(service, `GET ${path}`, { token }),
    change: (groupId: string, role: 'member' | 'admin' | null) =>
      ask<GroupsBody>(service, `PATCH ${path}/${groupId}`, { token, body: { role, password } }),
  };
}

/** People of a directory who are members, in the database alone. @returns their ids */
export async function manyInDirectory(
  { sql }: Pick<RunningService, 'sql'>,
  { id, connection }: Pick<DirectoryCompany, 'id' | 'connection'>,
  count: number,
): Promise<string[]> {
  const rows = await sql(
    `WITH people AS (
       INSERT INTO users (id, email, name, created_at, updated_at)
       SELECT id, id || '@example.com', 'Somebody', now(), now()
       FROM (SELECT uuidv7() AS id FROM generate_series(1, $3)) AS made RETURNING id),
     joined AS (
       INSERT INTO members (organization_id, user_id, role, created_at, updated_at)
       SELECT $1, id, 'member', now(), now() FROM people)
     INSERT INTO directory_people (organization_id, connection_id, user_id, user_name, user_name_key, attributes, created_at, updated_at)
     SELECT $1, $2, id, id, id, '{}', now(), now() FROM people RETURNING user_id`,
    [id, connection.id, count],
  );
  return rows.map((row) => row['user_id'] as string);
}

/** Where a directory provisions. */
interface Place {
  readonly id: string;
  readonly connection: { readonly id: string };
  readonly scimToken: string;
}

/** Sends requests as a directory does: `GET /Users?count=2`. */
export function directoryOf({ app }: Pick<RunningService, 'app'>, { id, connection, scimToken }: Place) {
  return async (
    request: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ScimAnswer> => {
    const [method = '', ...path] = request.split(' ');
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api/auth/scim/v2/${id}/${connection.id}${path.join(' ').replaceAll(' ', '%20').replaceAll('"', '%22')}`,
      headers: {
        authorization: `Bearer ${scimToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: (answer.body === '' ? undefined : JSON.parse(answer.body)) as ScimBody,
    };
  };
}

/** Somebody in the directory of a company. */
export function inDirectory({ domain }: Pick<DirectoryCompany, 'domain'>, more: object = {}) {
  const local = `ada.${randomUUID().slice(0, 8)}`;
  const email = `${local}@${domain}`;
  return {
    schemas: [coreUser],
    userName: email,
    externalId: `ext-${local}`,
    displayName: 'Ada Lovelace',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ type: 'work', value: email, primary: true }],
    active: true,
    ...more,
  };
}
