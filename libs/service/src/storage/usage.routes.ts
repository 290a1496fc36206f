import type { Permission } from '@tenantry/contracts';
import { success, SuccessOf } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import { Type } from 'typebox';
import type { Service } from '../http/service.ts';
import { ClosedObject } from '../resources/fields.ts';
import type { TenantOf } from '../tenants/tenants.ts';
import { StorageRepository, type StorageUse } from './storage.repository.ts';

/** Options of {@link usageRoutes}. */
export interface UsageRoutesOptions {
  /** `/api/leads`. */
  readonly prefix: string;
  /** The resource, such as `Lead`: names of operations are unique across services. */
  readonly name: string;
  readonly access: Permission;
  readonly tenantOf: TenantOf;
}

const Amount = ClosedObject(
  {
    used: Type.Integer({ minimum: 0, examples: [1_204] }),
    quota: Type.Integer({ minimum: 1, examples: [10_000] }),
  },
  { title: 'StorageAmount' },
);

const Usage = ClosedObject(
  {
    rows: Amount,
    bytes: Amount,
    ownerConfirmed: Type.Boolean({
      description: 'whether an owner has confirmed an e-mail address; until then the quotas are small',
      examples: [true],
    }),
  },
  { title: 'StorageUsage' },
);

/** What the caller's organization stores in a service, and its quota: `GET /api/leads/usage`. */
export function usageRoutes(app: Service, { prefix, name, access, tenantOf }: UsageRoutesOptions): void {
  const repository = new StorageRepository();
  app.get(
    `${prefix}/usage`,
    {
      config: { access },
      schema: {
        operationId: `get${name}Usage`,
        tags: ['usage'],
        summary: 'Get what the organization stores in this service, and its quota',
        description:
          'Everything that the organization stores here counts: also deleted rows that can be restored, the history, the audit trail, and stored responses. At the quota, requests that add something get 409 QUOTA_EXCEEDED; deletions are never refused.',
        response: { 200: SuccessOf(Usage) },
      },
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const use = await repository.useOf(tenantOf(request), organizationId);
      if (!use) throw new Error('The quotas of the settings are not in storage_limits.');
      return success(usageAnswer(use), request.id);
    },
  );
}

const usageAnswer = ({ rows, bytes, rowsMax, bytesMax, isConfirmed }: StorageUse) => ({
  rows: { used: Math.max(0, rows), quota: rowsMax },
  bytes: { used: Math.max(0, bytes), quota: bytesMax },
  ownerConfirmed: isConfirmed,
});
