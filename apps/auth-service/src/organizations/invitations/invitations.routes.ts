import { addressKey } from '@tenantry/service/addresses';
import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import {
  actingIn,
  contextIn,
  contextOf,
  countRefused,
  OrganizationPath,
  PageQuerySchema,
  notLetInRefusals,
} from '../../ground/index.ts';
import { emailNotVerified } from '../../mail/index.ts';
import { alreadyMember } from '../members/members.errors.ts';
import { placeRefusals } from '../places/places.errors.ts';
import { invalidInvitation, invitationNotFound } from './invitations.errors.ts';
import {
  AcceptedInvitationAnswer,
  AnswerInvitationBody,
  InvitationAnswer,
  InvitationListAnswer,
  InvitationPath,
  InvitationTokenPath,
  InviteBody,
  ShownInvitationAnswer,
} from './invitations.schemas.ts';
import type { OrganizationsRoutesOptions } from '../wing.ts';

const tags = ['invitations'];
const path = '/api/auth/organization/:organizationId/invitations';

/** Inviting people, and answering invitations. */
export function invitationsRoutes(app: Service, options: OrganizationsRoutesOptions): void {
  invitingRoutes(app, options);
  answeringRoutes(app, options);
}

/** For the members of an organization. */
function invitingRoutes(app: Service, { invitations, stepUp, limits }: OrganizationsRoutesOptions): void {
  app.post(
    path,
    {
      config: {
        access: 'invitations:write',
        confined: true,
        errors: [
          ...notLetInRefusals,
          ...stepUp.refusals,
          alreadyMember(),
          emailNotVerified(),
          ...placeRefusals.people,
        ],
      },
      schema: {
        operationId: 'inviteMember',
        tags,
        summary: 'Invite somebody by e-mail',
        description:
          'Your own address must be confirmed. A later invitation to the same address replaces an earlier one.',
        params: OrganizationPath,
        body: InviteBody,
        response: { 201: InvitationAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body, client } = request;
      const { id, name: organizationName } = actingIn(principal);
      // A role granted by mail is a promotion like any other.
      if (body.role !== 'member') await stepUp.require(principal, { concerns: 'others', client });
      const invitation = await limits.invitations.run([id, principal.user.id], () =>
        invitations.invite(contextIn(request), { organizationName, ...body }),
      );
      return reply.code(201).send({ invitation });
    },
  );

  app.get(
    path,
    {
      config: { access: 'invitations:read', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'listInvitations',
        tags,
        summary: 'List the open invitations of an organization, oldest first',
        params: OrganizationPath,
        querystring: PageQuerySchema,
        response: { 200: InvitationListAnswer },
      },
    },
    async ({ principal, query }) => {
      const listed = await invitations.list(actingIn(principal).id, query);
      return { invitations: listed.items, total: listed.total, ...query };
    },
  );

  app.delete(
    `${path}/:invitationId`,
    {
      config: {
        access: 'invitations:write',
        confined: true,
        errors: [...notLetInRefusals, invitationNotFound()],
      },
      schema: {
        operationId: 'withdrawInvitation',
        tags,
        summary: 'Withdraw an invitation',
        params: InvitationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await invitations.withdraw(contextIn(request), request.params.invitationId);
      return reply.code(204).send(null);
    },
  );
}

/** Routes for the recipients of invitations. */
function answeringRoutes(
  app: Service,
  { acceptances, invitations, limits }: OrganizationsRoutesOptions,
): void {
  app.get(
    '/api/auth/invitations/:token',
    {
      config: {
        access: 'public',
        errors: [invalidInvitation()],
      },
      schema: {
        operationId: 'getInvitation',
        tags,
        summary: 'See what a mailed invitation offers',
        params: InvitationTokenPath,
        response: { 200: ShownInvitationAnswer },
      },
    },
    async ({ params, ip }) => {
      const charge = { limiter: limits.invitationLookups, key: addressKey(ip) };
      return { invitation: await countRefused(charge, () => invitations.show(params.token)) };
    },
  );

  app.post(
    '/api/auth/invitations/accept',
    {
      config: {
        access: 'signed-in',
        errors: [invalidInvitation(), alreadyMember(), ...placeRefusals.organizations],
      },
      schema: {
        operationId: 'acceptInvitation',
        tags,
        summary: 'Accept a mailed invitation',
        description: 'You join the organization; switch to it to make it the active one.',
        body: AnswerInvitationBody,
        response: { 200: AcceptedInvitationAnswer },
      },
    },
    async (request) => ({
      organization: await acceptances.accept(contextOf(request), request.body.token),
    }),
  );

  app.post(
    '/api/auth/invitations/reject',
    {
      // The token was mailed to its holder: declining takes no account.
      config: { access: 'public', errors: [invalidInvitation()] },
      schema: {
        operationId: 'rejectInvitation',
        tags,
        summary: 'Decline a mailed invitation',
        body: AnswerInvitationBody,
        response: { 204: Type.Null() },
      },
    },
    async ({ body, client }, reply) => {
      await invitations.reject({ ...body, client });
      return reply.code(204).send(null);
    },
  );
}
