import { permissions } from '@tenantry/jwt-verify';
import type { Service } from '@tenantry/service-kit';
import { clientOf } from '../ground/callers/client.ts';
import { issuedSessionAnswer, membershipAnswer } from '../sessions/sessions.answers.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { tidyBody, tidyName } from '../ground/text/tidy-body.ts';
import {
  CreateOrganizationAnswer,
  CreateOrganizationBody,
  OrganizationListAnswer,
  PermissionsAnswer,
  SwitchOrganizationAnswer,
  SwitchOrganizationBody,
} from './organizations.schemas.ts';
import type { Organizations } from './organizations.ts';

const tags = ['organizations'];

/** What the routes of organizations need. */
export interface OrganizationsRoutesOptions {
  readonly organizations: Organizations;
  readonly sessions: Sessions;
}

/** Founding organizations, and moving between them. */
export function organizationsRoutes(
  app: Service,
  { organizations, sessions }: OrganizationsRoutesOptions,
): void {
  app.post(
    '/api/auth/organization/create',
    {
      config: { access: 'signed-in' },
      preValidation: tidyBody({ name: tidyName }),
      schema: {
        tags,
        summary: 'Found an organization',
        body: CreateOrganizationBody,
        response: { 201: CreateOrganizationAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const wanted = { ...body, client: clientOf(request) };
      const { id, name, slug, createdAt } = await organizations.create(principal.user, wanted);
      return reply.code(201).send({ organization: { id, name, slug, createdAt: createdAt.toISOString() } });
    },
  );

  app.post(
    '/api/auth/organization/switch',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Make another organization the active one',
        body: SwitchOrganizationBody,
        response: { 200: SwitchOrganizationAnswer },
      },
    },
    async ({ principal, body }, reply) => {
      const session = await sessions.switchOrganization(principal, body.organizationId);
      return { session: issuedSessionAnswer(reply, session) };
    },
  );

  app.get(
    '/api/auth/organization/list',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: "The user's organizations", response: { 200: OrganizationListAnswer } },
    },
    async ({ principal }) => {
      const memberships = await organizations.listOf(principal.user);
      return {
        organizations: memberships.map((membership) => ({
          ...membershipAnswer(membership),
          active: membership.id === principal.organization?.id,
        })),
      };
    },
  );

  app.get(
    '/api/auth/organization/permissions',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'What each role may do', response: { 200: PermissionsAnswer } },
    },
    async ({ principal }) => {
      const role = principal.organization?.role ?? null;
      return { role, permissions: role === null ? [] : [...permissions[role]], roles: permissionTable };
    },
  );
}

const permissionTable = Object.fromEntries(
  Object.entries(permissions).map(([role, carried]) => [role, [...carried]]),
);
