import { permissions } from '@tenantry/contracts';
import { can } from '@tenantry/jwt-verify';
import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import {
  contextOf,
  actingIn,
  contextIn,
  OrganizationPath,
  notLetInRefusals,
  organizationNotFound,
} from '../../ground/index.ts';
import { lastOwner } from './members.errors.ts';
import { requirePermission } from './member-rules.ts';
import type { Member } from './members.repository.ts';
import {
  ChangeRoleBody,
  MemberAnswer,
  MemberListAnswer,
  MemberListQuery,
  MemberPath,
} from './members.schemas.ts';
import type { OrganizationsRoutesOptions } from '../wing.ts';

const tags = ['members'];
const path = '/api/auth/organization/:organizationId';

/** The members of an organization. */
export function membersRoutes(app: Service, { members, stepUp, limits }: OrganizationsRoutesOptions): void {
  app.get(
    `${path}/members`,
    {
      config: { access: 'members:read', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'listMembers',
        tags,
        summary: 'List the members of an organization in joining order',
        description: 'Admins also see who can sign in with two factors.',
        params: OrganizationPath,
        querystring: MemberListQuery,
        response: { 200: MemberListAnswer },
      },
    },
    async ({ principal, query: { twoFactor, ...query } }) => {
      const { id, role } = actingIn(principal);
      const isAdmin = can(role, 'members:write', permissions);
      if (twoFactor !== undefined) requirePermission(role, 'members:write');
      const wanted = { ...query, ...(twoFactor !== undefined && { twoFactor: twoFactor === 'on' }) };
      const { items, total } = await members.list(id, wanted);
      const shown = isAdmin ? items : items.map(colleagueResponse);
      return { ...query, members: shown, total };
    },
  );

  app.patch(
    `${path}/members/:userId`,
    {
      config: {
        access: 'members:write',
        confined: true,
        errors: [...notLetInRefusals, ...stepUp.refusals, lastOwner()],
      },
      schema: {
        operationId: 'changeMemberRole',
        tags,
        summary: 'Change the role of a member',
        description: 'Owners transfer ownership this way.',
        params: MemberPath,
        body: ChangeRoleBody,
        response: { 200: MemberAnswer },
      },
    },
    async (request) => {
      const { principal, params, body, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      await limits.memberChanges.consume(principal.user.id);
      const change = { userId: params.userId, role: body.role };
      return { member: await members.changeRole(contextIn(request), change) };
    },
  );

  app.delete(
    `${path}/members/:userId`,
    {
      config: {
        access: 'members:write',
        confined: true,
        errors: [...notLetInRefusals, ...stepUp.refusals, lastOwner()],
      },
      schema: {
        operationId: 'removeMember',
        tags,
        summary: 'Remove a member',
        params: MemberPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      await members.remove(contextIn(request), params.userId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/leave`,
    {
      // Leaving takes no permission, and no second factor that the organization requires.
      config: { access: 'signed-in', errors: [organizationNotFound(), lastOwner()] },
      schema: {
        operationId: 'leaveOrganization',
        tags,
        summary: 'Leave an organization',
        params: OrganizationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { params } = request;
      await members.leave({ ...contextOf(request), organizationId: params.organizationId });
      return reply.code(204).send(null);
    },
  );
}

/** A member as colleagues see one: how a member signs in is the business of admins. */
function colleagueResponse({ userId, name, email, role, disabled, createdAt }: Member) {
  return { userId, name, email, role, disabled, createdAt };
}
