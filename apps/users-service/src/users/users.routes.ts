import { permissions } from '@tenantry/contracts';
import { page, success } from '@tenantry/envelope';
import { AccessError, can, requireRecentFactor, requireUser, type Member } from '@tenantry/jwt-verify';
import { IdempotencyKeyHeaders, memberOf } from '@tenantry/service/business';
import type { Service } from '@tenantry/service/http';
import {
  IfMatchHeaders,
  WithEntityTag,
  entityTag,
  partialUpdate,
  preconditionOf,
} from '@tenantry/service/resources';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  emailInUse,
  keyReused,
  lastOwner,
  signInRequired,
  tooManyPeople,
  userNotFound,
} from '../accounts/accounts.errors.ts';
import type { Requests } from '../database.ts';
import type { DirectoryOf } from './directory.http.ts';
import type { User } from './user.ts';
import { othersUser, renamedMeanwhile, userChanged } from './users.errors.ts';
import {
  NewUserSchema,
  UserAnswer,
  UserChangedAnswer,
  UserChangesSchema,
  UserCreatedAnswer,
  UserListAnswer,
  UserListQuerySchema,
  UserPath,
  UserQuerySchema,
  extraFields,
} from './users.schemas.ts';
import type { Target, Users } from './users.ts';

const tags = ['users'];
/** Maximum age of the second factor, for users who have one (RFC 9470). */
const recent = { maxAgeSeconds: 300, withoutSecondFactor: 'role' } as const;

export interface UsersRoutesOptions extends Pick<Requests, 'contextOf'> {
  readonly users: Users;
  readonly directoryOf: DirectoryOf;
}

/** The users API. */
export function usersRoutes(app: Service, { users, directoryOf, contextOf }: UsersRoutesOptions): void {
  app.get(
    '/api/users',
    {
      config: { access: 'users:read', mayReadReplica: true },
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List users',
        description: 'All members of the organization, however they joined.',
        querystring: UserListQuerySchema,
        response: { 200: UserListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await users.list(await directoryOf(request), query);
      return page(items.map(shownWith(query.include)), { ...query, total });
    },
  );

  app.get(
    '/api/users/:id',
    {
      config: { access: 'users:read', errors: [userNotFound()] },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get a user',
        params: UserPath,
        querystring: UserQuerySchema,
        response: { 200: WithEntityTag(UserAnswer) },
      },
    },
    async (request, reply) => {
      const profile = await users.get(await directoryOf(request), request.params.id);
      reply.header('etag', entityTag(profile.version));
      return success(shownWith(request.query.include)(profile), request.id);
    },
  );

  app.post(
    '/api/users',
    {
      config: {
        access: 'users:write',
        errors: [
          ...[emailInUse(), keyReused(), tooManyPeople(), tooManyPeople('PEOPLE_UNCONFIRMED')],
          AccessError.userRequired(),
        ],
      },
      schema: {
        operationId: 'createUser',
        tags,
        summary: 'Create a user',
        description:
          'The user can sign in at once, as a member of the organization. Keys of service accounts cannot create users.',
        headers: IdempotencyKeyHeaders,
        body: NewUserSchema,
        response: { 201: UserCreatedAnswer },
      },
    },
    async (request, reply) => {
      const { ip: clientAddress, headers } = request;
      const { sessionId } = userOf(request);
      const from = { clientAddress, sessionId, key: headers['idempotency-key'] };
      const { id, email } = await users.create(contextOf(request), request.body, from);
      reply.code(201).header('location', `/api/users/${id}`);
      return success({ id, email }, request.id);
    },
  );

  app.route({
    method: partialUpdate(),
    url: '/api/users/:id',
    config: {
      access: 'users:read',
      stores: false,
      errors: [
        userNotFound(),
        userChanged(),
        othersUser(),
        renamedMeanwhile(),
        signInRequired(),
        AccessError.userRequired(),
      ],
    },
    schema: {
      operationId: 'updateUser',
      tags,
      summary: 'Change the name of a user',
      description:
        'Your own, or as an admin. Where the user belongs to other organizations as well, an admin can change the name ' +
        'only of an account that their organization created. Omitted fields are unchanged. PUT and PATCH do the same.',
      params: UserPath,
      headers: IfMatchHeaders,
      body: UserChangesSchema,
      response: { 200: WithEntityTag(UserChangedAnswer) },
    },
    handler: async (request, reply) => {
      const { params, body } = request;
      const target = {
        ...targetOf(request, params.id),
        mayWrite: can(userOf(request), 'users:write', permissions),
      };
      const profile = await users.rename(contextOf(request), target, body);
      reply.header('etag', entityTag(profile.version));
      const { id, email, firstName, lastName } = profile;
      return success({ id, email, firstName, lastName }, request.id);
    },
  });

  app.delete(
    '/api/users/:id',
    {
      config: {
        access: 'users:delete',
        errors: [
          userNotFound(),
          userChanged(),
          lastOwner(),
          AccessError.staleAuthentication(recent.maxAgeSeconds),
          AccessError.userRequired(),
        ],
      },
      schema: {
        operationId: 'deleteUser',
        tags,
        summary: 'Delete a user',
        description:
          'Ends the membership and its sessions; the account too, if the organization created it and it belongs to no ' +
          'other. You cannot delete yourself, nor the last owner.',
        params: UserPath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      requireRecentFactor(memberOf(request), recent);
      await users.remove(contextOf(request), targetOf(request, request.params.id));
      return reply.code(204).send(null);
    },
  );
}

/** Formats a user as the contract does, with the fields of `include`. */
function shownWith(include?: string) {
  const extra = new Set(extraFields.read(include));
  return ({ id, email, firstName, lastName, createdAt, disabled, role }: User) => ({
    id,
    email,
    firstName,
    lastName,
    createdAt,
    ...(extra.has('disabled') && { disabled }),
    ...(extra.has('role') && { role }),
  });
}

/** The caller of a change, which auth-service makes for a live session. */
function userOf(request: FastifyRequest): Member {
  const member = memberOf(request);
  requireUser(member);
  return member;
}

function targetOf(request: FastifyRequest<{ Headers: { 'if-match'?: string } }>, id: string): Target {
  const { sessionId } = userOf(request);
  return { id, clientAddress: request.ip, sessionId, accepts: preconditionOf(request) };
}
