import { serviceTokenPath } from '@tenantry/contracts';
import { invalidKey } from '@tenantry/service/failures';
import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import { actingIn, contextIn, notLetInRefusals, OrganizationPath } from '../../ground/index.ts';
import type { OrganizationsRoutesOptions } from '../wing.ts';
import { tooManyKeys, tooManyServiceAccounts } from './service-accounts.errors.ts';
import {
  ApiKeyPath,
  ChangeServiceAccountBody,
  CreateApiKeyBody,
  CreatedApiKeyAnswer,
  CreateServiceAccountBody,
  ServiceAccountAnswer,
  ServiceAccountListAnswer,
  ServiceAccountPath,
  ServiceTokenAnswer,
  ServiceTokenBody,
} from './service-accounts.schemas.ts';

const tags = ['service-accounts'];
const path = '/api/auth/organization/:organizationId/service-accounts';

/** The service accounts of an organization, and their keys. */
export function serviceAccountsRoutes(app: Service, options: OrganizationsRoutesOptions): void {
  const { serviceAccounts, apiKeys, stepUp } = options;

  app.get(
    path,
    {
      config: { access: 'service-accounts:read', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'listServiceAccounts',
        tags,
        summary: 'List the service accounts of an organization, with their keys',
        params: OrganizationPath,
        response: { 200: ServiceAccountListAnswer },
      },
    },
    async ({ principal }) => ({ serviceAccounts: await serviceAccounts.list(actingIn(principal).id) }),
  );

  app.post(
    path,
    {
      config: {
        access: 'service-accounts:write',
        confined: true,
        errors: [...notLetInRefusals, tooManyServiceAccounts()],
      },
      schema: {
        operationId: 'createServiceAccount',
        tags,
        summary: 'Create a service account',
        description:
          'A program acts as a service account, with one of its keys. Its role is at most your own, and never `owner`. An ' +
          'organization has at most 20.',
        params: OrganizationPath,
        body: CreateServiceAccountBody,
        response: { 201: ServiceAccountAnswer },
      },
    },
    async (request, reply) => {
      const serviceAccount = await serviceAccounts.create(contextIn(request), request.body);
      return reply.code(201).send({ serviceAccount });
    },
  );

  app.patch(
    `${path}/:accountId`,
    {
      config: {
        access: 'service-accounts:write',
        confined: true,
        errors: [...notLetInRefusals, ...stepUp.refusals],
      },
      schema: {
        operationId: 'updateServiceAccount',
        tags,
        summary: 'Change the name or role of a service account',
        description:
          'Omitted fields are unchanged. Another role revokes the access tokens of its keys: a program gets new ones with its ' +
          'key. The role `admin` is sensitive: unless you signed in recently on this device, it needs your password or a ' +
          'second factor.',
        params: ServiceAccountPath,
        body: ChangeServiceAccountBody,
        response: { 200: ServiceAccountAnswer },
      },
    },
    async (request) => {
      const { principal, params, body, client } = request;
      const { password, ...changes } = body;
      if (changes.role === 'admin' || password !== undefined) {
        await stepUp.require(principal, { concerns: 'way-in', password, client });
      }
      return { serviceAccount: await serviceAccounts.change(contextIn(request), params.accountId, changes) };
    },
  );

  app.delete(
    `${path}/:accountId`,
    {
      config: {
        access: 'service-accounts:write',
        confined: true,
        errors: [...notLetInRefusals, ...stepUp.refusals],
      },
      schema: {
        operationId: 'deleteServiceAccount',
        tags,
        summary: 'Delete a service account and its keys',
        description: 'Their access tokens stop working in every service within a second.',
        params: ServiceAccountPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      await serviceAccounts.remove(contextIn(request), params.accountId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/:accountId/keys`,
    {
      config: {
        access: 'service-accounts:write',
        confined: true,
        errors: [...notLetInRefusals, ...stepUp.refusals, tooManyKeys()],
      },
      schema: {
        operationId: 'createApiKey',
        tags,
        summary: 'Create a key of a service account',
        description:
          'The answer shows the key, this once. It works until `expiresAt`, also after its maker has left. `permissions` are at ' +
          'most those of the role; names of other services are allowed. A service account has at most 5 keys. Sensitive: unless ' +
          'you signed in recently on this device, needs your password or a second factor.',
        params: ServiceAccountPath,
        body: CreateApiKeyBody,
        response: { 201: CreatedApiKeyAnswer },
      },
    },
    async (request, reply) => {
      const { principal, params, body, client } = request;
      const { password, ...wanted } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      const created = await apiKeys.create(contextIn(request), { ...wanted, accountId: params.accountId });
      return reply.code(201).send(created);
    },
  );

  app.delete(
    `${path}/:accountId/keys/:keyId`,
    {
      config: {
        access: 'service-accounts:write',
        confined: true,
        errors: [...notLetInRefusals, ...stepUp.refusals],
      },
      schema: {
        operationId: 'deleteApiKey',
        tags,
        summary: 'Delete a key',
        description: 'Its access tokens stop working in every service within a second.',
        params: ApiKeyPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      await apiKeys.remove(contextIn(request), { accountId: params.accountId, id: params.keyId });
      return reply.code(204).send(null);
    },
  );

  app.post(
    serviceTokenPath,
    {
      config: { access: 'public', errors: [invalidKey()] },
      schema: {
        operationId: 'createServiceToken',
        tags,
        summary: 'Exchange a key for an access token',
        description:
          'The token is for the services behind the gateway, which do this for you where you send the key as bearer token. It ' +
          'lasts 15 minutes, and not beyond the key.',
        body: ServiceTokenBody,
        response: { 200: ServiceTokenAnswer },
      },
    },
    async ({ body }) => apiKeys.exchange(body.key),
  );
}
