import type { Service } from '@tenantry/service/http';
import { OwnPasswordBody, actingIn, contextIn, OrganizationPath, notLetInRefusals } from '../ground/index.ts';
import { renewalRefusals, issuedSessionResponse } from '../sessions/index.ts';
import { DeletedAnswer } from './deletions/deletions.schemas.ts';
import { ownTwoFactorFirst, secondFactorUndeclared } from './organizations.errors.ts';
import {
  ChangedOrganizationAnswer,
  ChangeOrganizationBody,
  OrganizationAnswer,
  OrganizationUsageAnswer,
} from './organizations.schemas.ts';
import type { OrganizationsRoutesOptions } from './wing.ts';

const tags = ['organizations'];
const path = '/api/auth/organization/:organizationId';

/** Routes to read, change and delete an organization. */
export function organizationChangesRoutes(app: Service, options: OrganizationsRoutesOptions): void {
  const { organizations, organizationChanges, deletions, places, stepUp, sessions } = options;

  app.get(
    path,
    {
      config: { access: 'organization:read', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'getOrganization',
        tags,
        summary: 'Get an organization and its settings',
        params: OrganizationPath,
        response: { 200: OrganizationAnswer },
      },
    },
    async ({ principal }) => {
      const { id, role } = actingIn(principal);
      return { organization: { ...(await organizations.get(id)), role } };
    },
  );

  app.get(
    `${path}/usage`,
    {
      config: { access: 'members:read', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'getOrganizationUsage',
        tags,
        summary: 'Get how many people and ways in an organization has, and its quotas',
        description:
          'Of people, members and open invitations count. At a quota, requests that add one get 409 QUOTA_EXCEEDED. What it stores in ' +
          'another service, such as leads, has quotas there.',
        params: OrganizationPath,
        response: { 200: OrganizationUsageAnswer },
      },
    },
    async ({ principal }) => {
      const { id } = actingIn(principal);
      const { used, quota, isConfirmed } = await places.ofOrganization(id);
      const waysIn = await places.waysInOf(id);
      return { usage: { people: { used, quota }, ...waysIn, ownerConfirmed: isConfirmed } };
    },
  );

  app.patch(
    path,
    {
      config: {
        access: 'organization:update',
        confined: true,
        errors: [
          ...notLetInRefusals,
          ...stepUp.refusals,
          ...renewalRefusals,
          ownTwoFactorFirst(),
          secondFactorUndeclared(),
        ],
      },
      schema: {
        operationId: 'updateOrganization',
        tags,
        summary: 'Change an organization',
        description:
          'Omitted fields are unchanged. Turning on requireTwoFactor revokes the access tokens of all members: continue with ' +
          'the one in `session`.',
        params: OrganizationPath,
        body: ChangeOrganizationBody,
        response: { 200: ChangedOrganizationAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body, client, byCookie } = request;
      const { id, role } = actingIn(principal);
      // A stolen session must not be able to remove a protection.
      if (body.settings?.requireTwoFactor !== undefined) {
        await stepUp.require(principal, { concerns: 'others', client });
      }
      const { acr } = principal.session;
      const changed = await organizationChanges.update(contextIn(request), { ...body, acr });
      const answer = { organization: { ...changed.organization, role } };
      if (!changed.tokensRevoked || principal.tokenOrganizationId !== id) return answer;
      const renewal = await sessions.refresh.renewalFor(request);
      const renewed = await sessions.reissue(principal, renewal);
      return { ...answer, session: issuedSessionResponse(reply, renewed, byCookie ? 'set' : 'keep') };
    },
  );

  app.delete(
    path,
    {
      config: { access: 'organization:delete', errors: [...notLetInRefusals, ...stepUp.refusals] },
      schema: {
        operationId: 'deleteOrganization',
        tags,
        summary: 'Delete an organization',
        description:
          'It is disabled at once in every service: its offers are closed, its e-mails are not sent, and access tokens for it ' +
          'stop working. Members without another organization get a personal one. Its data is permanently deleted at ' +
          '`purgeAt`. Sensitive: unless you signed in recently, needs your password or a second factor.',
        params: OrganizationPath,
        body: OwnPasswordBody,
        response: { 200: DeletedAnswer },
      },
    },
    async (request) => {
      const { principal, body, client } = request;
      await stepUp.require(principal, { concerns: 'organization', password: body?.password, client });
      const purgeAt = await deletions.remove(contextIn(request));
      return { purgeAt: purgeAt.toISOString() };
    },
  );
}
