import { permissions } from '@tenantry/contracts';
import type { Service } from '@tenantry/service/http';
import { notLetInRefusals, contextOf } from '../ground/index.ts';
import { renewalRefusals, issuedSessionResponse, type Principal } from '../sessions/index.ts';
import { deletionsRoutes } from './deletions/deletions.routes.ts';
import { domainsRoutes } from './domains/domains.routes.ts';
import { exportsRoutes } from './exports/exports.routes.ts';
import { importsRoutes } from './imports/imports.routes.ts';
import { invitationsRoutes } from './invitations/invitations.routes.ts';
import { logosRoutes } from './logos/logos.routes.ts';
import type { ListedMembership } from './members/members.repository.ts';
import { membersRoutes } from './members/members.routes.ts';
import { organizationChangesRoutes } from './organization-changes.routes.ts';
import { slugTaken } from './organizations.errors.ts';
import { placeRefusals } from './places/places.errors.ts';
import { serviceAccountsRoutes } from './service-accounts/service-accounts.routes.ts';
import {
  CreateOrganizationAnswer,
  CreateOrganizationBody,
  OrganizationListAnswer,
  PermissionsAnswer,
  SwitchOrganizationAnswer,
  SwitchOrganizationBody,
} from './organizations.schemas.ts';
import { ssoRequirementRoutes } from './sso-requirement/sso-requirement.routes.ts';
import type { OrganizationsRoutesOptions } from './wing.ts';

const tags = ['organizations'];

/** Routes to create organizations, and to list and switch between the caller's. */
export function organizationsRoutes(app: Service, options: OrganizationsRoutesOptions): void {
  const { organizations, members, sessions, limits } = options;
  organizationChangesRoutes(app, options);
  logosRoutes(app, options);
  exportsRoutes(app, options);
  importsRoutes(app, options);
  deletionsRoutes(app, options);
  membersRoutes(app, options);
  invitationsRoutes(app, options);
  serviceAccountsRoutes(app, options);
  domainsRoutes(app, options);
  ssoRequirementRoutes(app, options);

  app.post(
    '/api/auth/organization/create',
    {
      config: { access: 'signed-in', errors: [slugTaken(), ...placeRefusals.organizations] },
      schema: {
        operationId: 'createOrganization',
        tags,
        summary: 'Create an organization',
        body: CreateOrganizationBody,
        response: { 201: CreateOrganizationAnswer },
      },
    },
    async (request, reply) => {
      const context = contextOf(request);
      const organization = await limits.organizations.run([context.actor.userId], () =>
        organizations.create(context, request.body),
      );
      return reply.code(201).send({ organization });
    },
  );

  app.post(
    '/api/auth/organization/switch',
    {
      config: { access: 'signed-in', confined: true, errors: [...notLetInRefusals, ...renewalRefusals] },
      schema: {
        operationId: 'switchOrganization',
        tags,
        summary: 'Switch to another organization',
        description:
          'The new access token expires when the one you sent does. To get one for 15 minutes, prove that the session is ' +
          'yours: a browser sends its cookies, any other client `refreshToken`, which stays valid.',
        body: SwitchOrganizationBody,
        response: { 200: SwitchOrganizationAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const { organizationId, refreshToken } = body;
      const renewal = await sessions.refresh.renewalFor(request, refreshToken);
      const issued = await sessions.switchOrganization(principal, { organizationId, renewal });
      return { session: issuedSessionResponse(reply, issued) };
    },
  );

  app.get(
    '/api/auth/organization/list',
    {
      config: { access: 'signed-in', confined: true },
      schema: {
        operationId: 'listOrganizations',
        tags,
        summary: 'List your organizations',
        response: { 200: OrganizationListAnswer },
      },
    },
    async ({ principal }) => {
      const memberships = await members.listOf(principal);
      return { organizations: memberships.map((membership) => listedResponse(membership, principal)) };
    },
  );

  app.get(
    '/api/auth/organization/permissions',
    {
      config: { access: 'signed-in', confined: true },
      schema: {
        operationId: 'listPermissions',
        tags,
        summary: 'List the permissions of each role',
        response: { 200: PermissionsAnswer },
      },
    },
    async ({ principal }) => {
      const role = principal.organization?.role ?? null;
      return { role, permissions: role === null ? [] : [...permissions[role]], roles: permissionTable };
    },
  );
}

/** One of the caller's organizations. */
export function listedResponse(listed: ListedMembership, { organization }: Pick<Principal, 'organization'>) {
  return { ...listed, active: listed.id === organization?.id };
}

const permissionTable = {
  owner: [...permissions.owner],
  admin: [...permissions.admin],
  member: [...permissions.member],
};
