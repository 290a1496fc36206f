import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the test kit of services gives, as far as benches use it. */
interface Caller {
  send(
    method: string,
    url: string,
    sent?: { body?: object },
  ): Promise<{ status: number; body: unknown; text: string }>;
}

/** quotation-service on a database of its own, and a member of an organization who calls it. */
export async function startQuotation(): Promise<{ caller: Caller; close: () => Promise<void> }> {
  process.env['TEST_LOG_DIRECTORY'] ??= await mkdtemp(join(tmpdir(), 'tenantry-bench-'));
  const source = (path: string) => new URL(`../../${path}`, import.meta.url).href;
  const { service } = (await import(source('apps/quotation-service/src/service.ts'))) as { service: unknown };
  const { startTestService } = (await import(source('libs/service-tests/src/start.ts'))) as {
    startTestService: (
      service: unknown,
      options: { env: Record<string, string> },
    ) => Promise<{ member: () => Promise<Caller>; close: () => Promise<void> }>;
  };
  // Nobody tells of an organization there: its settings are the usual ones.
  const peers = {
    AUTH_INTERNAL_URL: 'http://127.0.0.1:9',
    INTERNAL_API_KEY: randomBytes(32).toString('base64'),
  };
  const started = await startTestService(service, { env: { LOG_LEVEL: 'silent', ...peers } });
  return { caller: await started.member(), close: () => started.close() };
}
