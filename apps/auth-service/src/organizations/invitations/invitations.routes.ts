import { limitedBy, type Service } from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { OrganizationPath, PageQuerySchema } from '../members/members.schemas.ts';
import { actingIn } from '../path-organization.ts';
import { clientOf } from '../../ground/callers/client.ts';
import { membershipAnswer } from '../../sessions/sessions.answers.ts';
import type { RequireSensitive } from '../../sign-in/step-up/step-up.ts';
import { tidyBody, tidyEmail } from '../../ground/text/tidy-body.ts';
import type { AuthLimits } from '../../ground/limits/auth-limits.ts';
import type { MailBudget } from '../../ground/limits/mail-budget.ts';
import type { Invitation } from './invitation.ts';
import {
  AcceptedInvitationAnswer,
  AnswerInvitationBody,
  InvitationAnswer,
  InvitationListAnswer,
  InvitationPath,
  InviteBody,
} from './invitations.schemas.ts';
import type { Invitations } from './invitations.ts';

const tags = ['invitations'];
const path = '/api/auth/organization/:organizationId/invitations';

/** What the routes of invitations need. */
export interface InvitationsRoutesOptions {
  readonly invitations: Invitations;
  readonly requireSensitive: RequireSensitive;
  readonly limits: Pick<AuthLimits, 'invitations'>;
  readonly mailBudget: MailBudget;
}

/** Inviting people, and answering. */
export function invitationsRoutes(app: Service, options: InvitationsRoutesOptions): void {
  const { invitations, requireSensitive, limits, mailBudget } = options;
  const organizationOf = ({ principal }: FastifyRequest) => actingIn(principal).id;

  app.post(
    path,
    {
      config: {
        access: 'invitations:write',
        rateLimit: limitedBy(limits.invitations, organizationOf, { hook: 'preHandler' }),
      },
      preValidation: tidyBody({ email: tidyEmail }),
      schema: {
        tags,
        summary: 'Invite somebody by e-mail; a later invitation replaces an earlier one',
        params: OrganizationPath,
        body: InviteBody,
        response: { 201: InvitationAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const organization = actingIn(principal);
      const client = clientOf(request);
      // Power given away by mail is a promotion like any other.
      if (body.role !== 'member') await requireSensitive(principal, { concerns: 'others', client });
      await mailBudget.spend(body.email);
      const offer = { organization, ...body, client };
      const invitation = await invitations.invite(principal.user, offer);
      return reply.code(201).send({ invitation: invitationAnswer(invitation) });
    },
  );

  app.get(
    path,
    {
      config: { access: 'invitations:read' },
      schema: {
        tags,
        summary: 'The open invitations of an organization, oldest first',
        params: OrganizationPath,
        querystring: PageQuerySchema,
        response: { 200: InvitationListAnswer },
      },
    },
    async ({ principal, query }) => {
      const listed = await invitations.list(actingIn(principal).id, query);
      return { invitations: listed.invitations.map(invitationAnswer), total: listed.total, ...query };
    },
  );

  app.delete(
    `${path}/:invitationId`,
    {
      config: { access: 'invitations:write' },
      schema: {
        tags,
        summary: 'Withdraw an invitation',
        params: InvitationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      const actor = { userId: principal.user.id, client: clientOf(request) };
      const organizationId = actingIn(principal).id;
      await invitations.withdraw(actor, { organizationId, id: params.invitationId });
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/auth/invitations/accept',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Join the organization that a mailed invitation is for; switch makes it the active one',
        body: AnswerInvitationBody,
        response: { 200: AcceptedInvitationAnswer },
      },
    },
    async (request) => {
      const answer = { token: request.body.token, client: clientOf(request) };
      const membership = await invitations.accept(request.principal.user, answer);
      return { organization: membershipAnswer(membership) };
    },
  );

  app.post(
    '/api/auth/invitations/reject',
    {
      // Whoever holds the token was sent it: one does not make an account to decline.
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Decline a mailed invitation',
        body: AnswerInvitationBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await invitations.reject({ token: request.body.token, client: clientOf(request) });
      return reply.code(204).send(null);
    },
  );
}

function invitationAnswer({ createdAt, expiresAt, invitedBy, ...invitation }: Invitation) {
  return {
    ...invitation,
    invitedBy: invitedBy && { ...invitedBy },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
