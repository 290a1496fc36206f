import type { Service } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { OrganizationPath } from './members/members.schemas.ts';
import { actingIn } from './path-organization.ts';
import { clientOf } from '../ground/callers/client.ts';
import { membershipAnswer } from '../sessions/sessions.answers.ts';
import type { Membership } from '../sessions/session.ts';
import type { RequireSensitive } from '../sign-in/step-up/step-up.ts';
import { tidyBody, tidyName } from '../ground/text/tidy-body.ts';
import type { OrganizationProfile } from './organization.ts';
import type { OrganizationChanges } from './organization-changes.ts';
import { ChangeOrganizationBody, OrganizationAnswer } from './organizations.schemas.ts';
import type { Organizations } from './organizations.ts';

const tags = ['organizations'];
const path = '/api/auth/organization/:organizationId';

/** What the routes of one organization need. */
export interface OrganizationChangesRoutesOptions {
  readonly organizations: Organizations;
  readonly organizationChanges: OrganizationChanges;
  readonly requireSensitive: RequireSensitive;
}

/** One organization, its settings and its end. */
export function organizationChangesRoutes(app: Service, options: OrganizationChangesRoutesOptions): void {
  const { organizations, organizationChanges, requireSensitive } = options;

  app.get(
    path,
    {
      config: { access: 'organization:read' },
      schema: {
        tags,
        summary: 'An organization and its settings',
        params: OrganizationPath,
        response: { 200: OrganizationAnswer },
      },
    },
    async ({ principal }) => {
      const membership = actingIn(principal);
      return { organization: organizationAnswer(await organizations.get(membership.id), membership) };
    },
  );

  app.patch(
    path,
    {
      config: { access: 'organization:update' },
      preValidation: tidyBody({ name: tidyName }),
      schema: {
        tags,
        summary: 'Change an organization; what is absent stays',
        params: OrganizationPath,
        body: ChangeOrganizationBody,
        response: { 200: OrganizationAnswer },
      },
    },
    async (request) => {
      const { principal, body } = request;
      const membership = actingIn(principal);
      const client = clientOf(request);
      // Whoever took over a session takes no protection away.
      if (body.settings?.requireTwoFactor !== undefined) {
        await requireSensitive(principal, { concerns: 'others', client });
      }
      const actor = { userId: principal.user.id, client };
      const changed = await organizationChanges.update(actor, membership.id, body);
      return { organization: organizationAnswer(changed, membership) };
    },
  );

  app.delete(
    path,
    {
      config: { access: 'organization:delete' },
      schema: {
        tags,
        summary: 'Delete an organization',
        params: OrganizationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const client = clientOf(request);
      await requireSensitive(principal, { concerns: 'others', client });
      await organizationChanges.remove({ userId: principal.user.id, client }, actingIn(principal).id);
      return reply.code(204).send(null);
    },
  );
}

function organizationAnswer({ settings, ...organization }: OrganizationProfile, { role }: Membership) {
  return { ...membershipAnswer({ ...organization, role }), settings };
}
