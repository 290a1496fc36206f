import { defineBusinessService } from '@tenantry/service/business';
import { expect, it } from 'vitest';

const settingsWith = (ModelName: Readonly<Record<string, string>>) =>
  Object.keys(
    defineBusinessService({
      manifest: new URL('../../../../apps/leads-service/package.json', import.meta.url),
      title: 'Leads',
      models: { ModelName },
      prisma: () => {
        throw new Error('a definition opens no database');
      },
      features: () => ({}),
    }).config.properties,
  );

it('a business service reads where tokens are verified and lists are read, and keeps an audit trail where it has one', () => {
  const verifier = ['AUTH_URL', 'AUTH_JWKS_URL', 'AUTH_REVOCATIONS_URL'];
  expect(settingsWith({})).toEqual(
    expect.arrayContaining([...verifier, 'DATABASE_URL', 'DATABASE_REPLICA_URL']),
  );
  expect(settingsWith({})).not.toContain('AUDIT_RETENTION_DAYS');
  expect(settingsWith({ AuditEvent: 'AuditEvent' })).toContain('AUDIT_RETENTION_DAYS');
});
