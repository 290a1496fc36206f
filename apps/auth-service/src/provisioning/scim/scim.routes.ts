import { scimPath } from '@tenantry/contracts';
import { scimMediaType } from '@tenantry/service/failures';
import { acceptJsonOnly, type Service } from '@tenantry/service/http';
import { ClosedObject, Uuid } from '@tenantry/service/resources';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { ArrivalCode, ConnectionsWing } from '../../connections/index.ts';
import type { Ground } from '../../ground/index.ts';
import type { Provision } from './acting.ts';
import { directoryAddress, type Directories, type Provisioned } from './directories.ts';
import type { Person } from './directory.repository.ts';
import { readFilter, readGroupFilter, readWindow } from './filter.ts';
import { patchedGroup, readGroup, type GroupSaid } from './group-documents.ts';
import type { Groups } from './groups.ts';
import { patched } from './patch.ts';
import { arrivalOfFailure } from './refused.ts';
import {
  groupResource,
  listResponse,
  resourceTypes,
  schemas,
  serviceProviderConfig,
  userResource,
  wantsMembers,
  type Projection,
} from './resources.ts';
import { tokenRefused, type Directory, type ScimTokens } from './scim-tokens.ts';
import { readUser } from './users.ts';

interface ScimRoutesOptions extends Pick<Ground, 'config' | 'limits'> {
  readonly arrivals: ConnectionsWing['arrivals'];
  readonly directories: Directories;
  readonly groups: Groups;
  readonly scimTokens: ScimTokens;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The directory of a request by SCIM: its token was valid when the headers arrived, and is held where something changes. */
    directory: Directory;
  }
}

const DirectoryPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid() });
const GroupPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid(), groupId: Uuid() });
const PersonPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid(), userId: Uuid() });

const path = `${scimPath}/:organizationId/:connectionId`;
/** Directories discover these routes by SCIM's own means. Requests show a token of their own, which one hook checks for all. */
const hidden: FastifySchema & { readonly hide: true } = { hide: true };
const config = { access: 'public' } as const;

/** SCIM 2.0 (RFC 7643, RFC 7644) for the directories of organizations. */
export function scimRoutes(
  app: Service,
  { arrivals, directories, groups, scimTokens, limits, config: settings }: ScimRoutesOptions,
): void {
  acceptJsonOnly(app, scimMediaType);
  app.decorateRequest('directory');
  app.addHook('onRequest', async (request) => {
    const { organizationId = '', connectionId = '' } = request.params as Partial<Record<string, string>>;
    request.directory = await scimTokens.authenticate(bearerOf(request), { organizationId, connectionId });
    await limits.scim.consume(request.directory.tokenId);
  });

  /** Owners read what came of each change, and of each request that failed; who asks whether somebody is there leaves nothing. */
  const note = ({ directory, body }: FastifyRequest, code: ArrivalCode, userName?: string): Promise<void> =>
    arrivals.note({ ...directory, protocol: 'scim', code, address: userName ?? userNameIn(body) });
  app.addHook('onError', async (request, _reply, error) => {
    const code = arrivalOfFailure(error);
    if (code !== undefined && isHeld(request)) await note(request, code);
  });

  const baseOf = ({ directory }: FastifyRequest): string => directoryAddress(settings, directory);
  const provisionOf = ({ directory, client }: FastifyRequest): Provision => ({ directory, client });
  const send = (reply: FastifyReply, body: object) =>
    reply.type(scimMediaType).serializer(JSON.stringify).send(body);
  const done = async (request: FastifyRequest, { person, came }: Provisioned): Promise<Person> => {
    if (came !== null) await note(request, came, person.userName);
    return person;
  };
  const sendPerson = (request: FastifyRequest, reply: FastifyReply, person: Person) =>
    send(reply, userResource(person, baseOf(request), request.query as Projection));

  const discovery = { config, schema: { ...hidden, params: DirectoryPath } };
  app.get(`${path}/ServiceProviderConfig`, discovery, (request, reply) =>
    send(reply, serviceProviderConfig(baseOf(request))),
  );
  app.get(`${path}/ResourceTypes`, discovery, (request, reply) => {
    const all = resourceTypes(baseOf(request));
    return send(reply, listResponse(all, { total: all.length }));
  });
  app.get(`${path}/Schemas`, discovery, (request, reply) => {
    const all = schemas(baseOf(request));
    return send(reply, listResponse(all, { total: all.length }));
  });

  app.get(`${path}/Users`, discovery, async (request, reply) => {
    const { filter, ...query } = request.query as Readonly<Record<string, unknown>>;
    const { startIndex, count } = readWindow(query);
    const wanted = filter === undefined ? undefined : readFilter(filter);
    const { people, total } = await directories.list(request.directory, {
      startIndex,
      count,
      filter: wanted,
    });
    const resources = people.map((person) => userResource(person, baseOf(request), query));
    return send(reply, listResponse(resources, { total, startIndex }));
  });

  app.post(`${path}/Users`, discovery, async (request, reply) => {
    const said = readUser(request.body, 'ignored');
    const person = await done(request, await directories.create(provisionOf(request), said));
    reply.code(201).header('location', `${baseOf(request)}/Users/${person.userId}`);
    return sendPerson(request, reply, person);
  });

  const one = { config, schema: { ...hidden, params: PersonPath } };
  app.get(`${path}/Users/:userId`, one, async (request, reply) =>
    sendPerson(request, reply, await directories.get(request.directory, request.params.userId)),
  );

  app.put(`${path}/Users/:userId`, one, async (request, reply) => {
    const said = readUser(request.body, 'refused');
    const { userId } = request.params;
    const changed = await directories.change(provisionOf(request), userId, () => said);
    return sendPerson(request, reply, await done(request, changed));
  });

  app.patch(`${path}/Users/:userId`, one, async (request, reply) => {
    const { body, params } = request;
    const changed = await directories.change(provisionOf(request), params.userId, (before) =>
      patched(before, body),
    );
    return sendPerson(request, reply, await done(request, changed));
  });

  app.delete(`${path}/Users/:userId`, one, async (request, reply) => {
    await done(request, await directories.remove(provisionOf(request), request.params.userId));
    return reply.code(204).send(null);
  });

  const sendGroup = async (request: FastifyRequest, reply: FastifyReply, groupId: string) => {
    const query = request.query as Projection;
    const found = await groups.get(request.directory, groupId, wantsMembers(query));
    return send(reply, groupResource(found, baseOf(request), query));
  };
  const change = async (request: FastifyRequest, groupId: string, said: (before: GroupSaid) => GroupSaid) => {
    const displayName = await groups.change(provisionOf(request), groupId, said);
    if (displayName !== null) await note(request, 'GROUP_CHANGED', displayName);
  };

  app.get(`${path}/Groups`, discovery, async (request, reply) => {
    const { filter, ...query } = request.query as Readonly<Record<string, unknown>>;
    const { startIndex, count } = readWindow(query);
    const wanted = filter === undefined ? undefined : readGroupFilter(filter);
    const window = { startIndex, count, filter: wanted };
    const { groups: found, total } = await groups.list(request.directory, window, wantsMembers(query));
    const resources = found.map((group) => groupResource(group, baseOf(request), query));
    return send(reply, listResponse(resources, { total, startIndex }));
  });

  app.post(`${path}/Groups`, discovery, async (request, reply) => {
    const said = readGroup(request.body);
    const groupId = await groups.create(provisionOf(request), said);
    await note(request, 'GROUP_CREATED', said.displayName);
    reply.code(201).header('location', `${baseOf(request)}/Groups/${groupId}`);
    return sendGroup(request, reply, groupId);
  });

  const oneGroup = { config, schema: { ...hidden, params: GroupPath } };
  app.get(`${path}/Groups/:groupId`, oneGroup, (request, reply) =>
    sendGroup(request, reply, request.params.groupId),
  );

  app.put(`${path}/Groups/:groupId`, oneGroup, async (request, reply) => {
    const { groupId } = request.params;
    const said = readGroup(request.body);
    await change(request, groupId, () => said);
    return sendGroup(request, reply, groupId);
  });

  app.patch(`${path}/Groups/:groupId`, oneGroup, async (request, reply) => {
    const { body, params } = request;
    await change(request, params.groupId, (before) => patchedGroup(before, body));
    // With its members it would be large, and directories look at the status.
    return reply.code(204).send(null);
  });

  app.delete(`${path}/Groups/:groupId`, oneGroup, async (request, reply) => {
    const displayName = await groups.remove(provisionOf(request), request.params.groupId);
    await note(request, 'GROUP_REMOVED', displayName);
    return reply.code(204).send(null);
  });
}

/** @throws UNAUTHENTICATED for a request without a bearer token, or with an empty one */
function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string {
  const [scheme = '', token = '', ...more] = authorization.trim().split(/\s+/);
  if (scheme.toLowerCase() !== 'bearer' || token === '' || more.length > 0) throw tokenRefused();
  return token;
}

/** Whether its token was valid: what anybody sends to the address of a directory is not noted. */
const isHeld = ({ directory }: Partial<Pick<FastifyRequest, 'directory'>>): boolean =>
  directory !== undefined;

/** What a body calls somebody, whatever else it is. */
function userNameIn(body: unknown): string | null {
  const { userName } = (body ?? {}) as { readonly userName?: unknown };
  return typeof userName === 'string' ? userName : null;
}
