import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the test kit of services gives, as far as benches use it. */
interface Caller {
  send(
    method: string,
    url: string,
    sent?: { body?: object; headers?: Record<string, string> },
  ): Promise<{ status: number; body: unknown; text: string }>;
}

/** A business service on a database of its own, and a member of an organization who calls it. */
export async function startBusiness(
  name: 'leads-service' | 'quotation-service',
  env: Record<string, string> = {},
): Promise<{ caller: Caller; close: () => Promise<void> }> {
  process.env['TEST_LOG_DIRECTORY'] ??= await mkdtemp(join(tmpdir(), 'tenantry-bench-'));
  // Which announces the organization, as auth-service would.
  const support = new URL(`../../apps/${name}/test/support/service.ts`, import.meta.url).href;
  const { startService } = (await import(support)) as {
    startService: (options: {
      env: Record<string, string>;
    }) => Promise<{ member: () => Promise<Caller>; close: () => Promise<void> }>;
  };
  const started = await startService({ env: { LOG_LEVEL: 'silent', ...env } });
  return { caller: await started.member(), close: () => started.close() };
}
