import type { Service } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { actingIn } from '../path-organization.ts';
import { clientOf } from '../../ground/callers/client.ts';
import type { RequireSensitive } from '../../sign-in/step-up/step-up.ts';
import type { Member } from './member.ts';
import {
  ChangeRoleBody,
  MemberAnswer,
  MemberListAnswer,
  MemberPath,
  OrganizationPath,
  PageQuerySchema,
} from './members.schemas.ts';
import type { Members } from './members.ts';

const tags = ['members'];
const path = '/api/auth/organization/:organizationId';

/** What the routes of members need. */
export interface MembersRoutesOptions {
  readonly members: Members;
  readonly requireSensitive: RequireSensitive;
}

/** The members of an organization. */
export function membersRoutes(app: Service, { members, requireSensitive }: MembersRoutesOptions): void {
  app.get(
    `${path}/members`,
    {
      config: { access: 'members:read' },
      schema: {
        tags,
        summary: 'The members of an organization, who joined first first',
        params: OrganizationPath,
        querystring: PageQuerySchema,
        response: { 200: MemberListAnswer },
      },
    },
    async ({ principal, query }) => {
      const listed = await members.list(actingIn(principal).id, query);
      return { members: listed.members.map(memberAnswer), total: listed.total, ...query };
    },
  );

  app.patch(
    `${path}/members/:userId`,
    {
      config: { access: 'members:write' },
      schema: {
        tags,
        summary: 'Give a member another role; an owner transfers the ownership so',
        params: MemberPath,
        body: ChangeRoleBody,
        response: { 200: MemberAnswer },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const client = clientOf(request);
      await requireSensitive(principal, { concerns: 'others', client });
      const actor = { userId: principal.user.id, client };
      const organizationId = actingIn(principal).id;
      const member = await members.changeRole(actor, {
        organizationId,
        userId: params.userId,
        role: body.role,
      });
      return { member: memberAnswer(member) };
    },
  );

  app.delete(
    `${path}/members/:userId`,
    {
      config: { access: 'members:write' },
      schema: { tags, summary: 'Remove a member', params: MemberPath, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { principal, params } = request;
      const client = clientOf(request);
      await requireSensitive(principal, { concerns: 'others', client });
      const actor = { userId: principal.user.id, client };
      await members.remove(actor, { organizationId: actingIn(principal).id, userId: params.userId });
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/leave`,
    {
      // Leaving takes no permission, and no second factor that the organization asks for.
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Leave an organization',
        params: OrganizationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      const actor = { userId: principal.user.id, client: clientOf(request) };
      await members.leave(actor, params.organizationId);
      return reply.code(204).send(null);
    },
  );
}

function memberAnswer({ createdAt, ...member }: Member) {
  return { ...member, createdAt: createdAt.toISOString() };
}
