import type { Asking } from '@tenantry/fair-shares';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { expect, test } from 'vitest';
import { DomainRecords } from '../src/organizations/domains/domain-records.ts';

const logger = createLogger({ name: 'test', level: 'warn', destination: testLog() });

test.each<[string, (n: number) => Asking]>([
  ['one organization', (n) => ({ organizationId: 'free', userId: `u${n}`, address: `198.51.100.${n}` })],
  ['one address', (n) => ({ organizationId: `o${n}`, userId: `u${n}`, address: '198.51.100.1' })],
  ['daily readings', () => ({ work: 'daily readings' })],
])(
  'the record of a stranger’s domain is read at once under a flood of %s [S-242]',
  async (_who, flooding) => {
    const records = new DomainRecords({ servers: [], logger });
    let endAll = (): void => undefined;
    const allEnd = new Promise<void>((resolve) => (endAll = resolve));
    const flood = Array.from({ length: 200 }, (_, n) =>
      records.run(flooding(n), () => allEnd).catch(() => 'refused'),
    );
    // While none of the others has ended.
    const stranger = { organizationId: 'stranger', userId: 'u', address: '192.0.2.1' };
    expect(await records.run(stranger, async () => 'read')).toBe('read');
    endAll();
    expect(await Promise.all(flood)).toContain('refused');
  },
);
