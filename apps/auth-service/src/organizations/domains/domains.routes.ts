import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import { actingIn, contextIn, contextOf, notLetInRefusals, OrganizationPath } from '../../ground/index.ts';
import { emailNotVerified } from '../../mail/index.ts';
import { placeRefusals } from '../places/places.errors.ts';
import { ssoStillRequired } from '../sso-requirement/sso-requirement.errors.ts';
import type { OrganizationsRoutesOptions } from '../wing.ts';
import { domainTaken, notJoinable, tooManyDomains, unverified } from './domains.errors.ts';
import {
  AddDomainBody,
  ChangeDomainBody,
  DomainAnswer,
  DomainListAnswer,
  DomainPath,
  JoinableAnswer,
  JoinBody,
  JoinedAnswer,
} from './domains.schemas.ts';

const tags = ['domains'];
const path = '/api/auth/organization/:organizationId/domains';

/** The domains of an organization, and joining one by the domain of an address. */
export function domainsRoutes(app: Service, options: OrganizationsRoutesOptions): void {
  provingRoutes(app, options);
  changingRoutes(app, options);
  joiningRoutes(app, options);
}

function provingRoutes(app: Service, { domains, stepUp }: OrganizationsRoutesOptions): void {
  app.get(
    path,
    {
      config: { access: 'domains:read', errors: notLetInRefusals },
      schema: {
        operationId: 'listDomains',
        tags,
        summary: 'List the domains of an organization, with the records that prove them',
        params: OrganizationPath,
        response: { 200: DomainListAnswer },
      },
    },
    async ({ principal }) => ({ domains: await domains.list(actingIn(principal).id) }),
  );

  app.post(
    path,
    {
      config: {
        access: 'domains:write',
        errors: [...notLetInRefusals, ...stepUp.refusals, tooManyDomains()],
      },
      schema: {
        operationId: 'addDomain',
        tags,
        summary: 'Add a domain to an organization',
        description:
          'It counts once you have added the TXT record of the answer to its DNS, and had it checked. Domains below which anybody ' +
          'registers their own, and those of free mail, are refused. An organization has at most 20. `joins: member` is ' +
          'sensitive: unless you signed in recently on this device, it needs your password or a second factor.',
        params: OrganizationPath,
        body: AddDomainBody,
        response: { 201: DomainAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body, client } = request;
      const { password, ...wanted } = body;
      if (wanted.joins === 'member' || password !== undefined) {
        await stepUp.require(principal, { concerns: 'way-in', password, client });
      }
      return reply.code(201).send({ domain: await domains.add(contextIn(request), wanted) });
    },
  );

  app.post(
    `${path}/:domainId/verify`,
    {
      config: { access: 'domains:write', errors: [...notLetInRefusals, ...unverified, domainTaken()] },
      schema: {
        operationId: 'verifyDomain',
        tags,
        summary: 'Look for the record of a domain',
        description:
          'Once it is found, the domain counts. From then on it is looked for every day: owners hear when it is missing, and ' +
          'missing three days in a row it suspends the domain, until it is found by another check.',
        params: DomainPath,
        response: { 200: DomainAnswer },
      },
    },
    async (request) => {
      const { params, client } = request;
      return { domain: await domains.verify(contextIn(request), client, params.domainId) };
    },
  );
}

function changingRoutes(app: Service, { domains, stepUp }: OrganizationsRoutesOptions): void {
  app.patch(
    `${path}/:domainId`,
    {
      config: { access: 'domains:write', errors: [...notLetInRefusals, ...stepUp.refusals] },
      schema: {
        operationId: 'updateDomain',
        tags,
        summary: 'Change who may join by a domain',
        description:
          'Members stay. `joins: member` is sensitive: unless you signed in recently on this device, it needs your password or a ' +
          'second factor.',
        params: DomainPath,
        body: ChangeDomainBody,
        response: { 200: DomainAnswer },
      },
    },
    async (request) => {
      const { principal, params, body, client } = request;
      const { password, joins } = body;
      if (joins === 'member' || password !== undefined) {
        await stepUp.require(principal, { concerns: 'way-in', password, client });
      }
      return { domain: await domains.change(contextIn(request), params.domainId, { joins }) };
    },
  );

  app.delete(
    `${path}/:domainId`,
    {
      config: {
        access: 'domains:write',
        errors: [...notLetInRefusals, ...stepUp.refusals, ssoStillRequired()],
      },
      schema: {
        operationId: 'deleteDomain',
        tags,
        summary: 'Delete a domain of an organization',
        description: 'It counts no more, and another organization may prove it. Members stay.',
        params: DomainPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      await domains.remove(contextIn(request), params.domainId);
      return reply.code(204).send(null);
    },
  );
}

/** For people who are no members yet. */
function joiningRoutes(app: Service, { joining }: OrganizationsRoutesOptions): void {
  app.get(
    '/api/auth/organization/joinable',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listJoinableOrganizations',
        tags,
        summary: 'List the organizations that you may join',
        description:
          'Those that have proven the domain of your address and let people there join. None before you have confirmed it.',
        response: { 200: JoinableAnswer },
      },
    },
    async ({ principal }) => ({ organizations: await joining.joinable(principal.user.id) }),
  );

  app.post(
    '/api/auth/organization/join',
    {
      config: {
        access: 'signed-in',
        errors: [notJoinable(), emailNotVerified(), ...placeRefusals.organizations, ...placeRefusals.people],
      },
      schema: {
        operationId: 'joinOrganization',
        tags,
        summary: 'Join an organization that has proven the domain of your address',
        description:
          'You become a member; switch to the organization to make it the active one. Whoever was removed from it needs an invitation.',
        body: JoinBody,
        response: { 200: JoinedAnswer },
      },
    },
    async (request) => ({
      organization: await joining.join(contextOf(request), request.body.organizationId),
    }),
  );
}
