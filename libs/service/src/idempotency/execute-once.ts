import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantTransaction } from '@tenantry/tenancy';
import type { Tenant } from '../tenants/tenants.ts';
import { keyInUse, keyReused } from './idempotency.errors.ts';
import type { RequestKey, StoredResponse, StoredResponses } from './stored-responses.ts';

/** A request that is executed once. */
export interface OnceRequest {
  readonly tenant: Tenant;
  readonly key: RequestKey;
  readonly responses: StoredResponses;
  /** Executes the request, in the transaction that stores its response. */
  readonly work: (tx: TenantTransaction<{ readonly organizationId: string }>) => Promise<StoredResponse>;
  /** Timeout of that transaction. */
  readonly limitMs: number | undefined;
}

/** A response, and whether it was replayed. */
export interface OnceResponse extends StoredResponse {
  readonly isRepeated: boolean;
}

/** Pauses while a request waits for the first one with its key, holding no connection: 1.6 s in total. */
const waitsMs = [25, 50, 100, 200, 400, 800];

/**
 * Executes a request that may be sent several times. The first one does the work and stores its response in the same
 * transaction: both exist, or neither does. Any later one gets the stored response, waits for it, or is told to retry.
 *
 * @throws {ApiError} IDEMPOTENCY_KEY_REUSED for another request under the same key, IDEMPOTENCY_KEY_IN_USE while the
 * first one still runs.
 */
export async function executeOnce(request: OnceRequest): Promise<OnceResponse> {
  for (const waitMs of waitsMs) {
    const response = await tryOnce(request);
    if (response) return response;
    await sleep(waitMs);
  }
  throw keyInUse();
}

/** Thrown to roll back, since another transaction has stored a response meanwhile. */
class Overtaken extends Error {}

async function tryOnce(request: OnceRequest): Promise<OnceResponse | undefined> {
  const { tenant, key, work, responses, limitMs } = request;
  try {
    return await tenant.transaction(
      async (tx) => {
        const { held, stored } = await responses.hold(tx, key);
        if (stored) {
          if (![key.request, key.asWritten].some((same) => stored.request.equals(same))) throw keyReused();
          return { ...stored, isRepeated: true };
        }
        if (!held) return undefined;
        const response = await work(tx);
        if (!(await responses.store(tx, key, response))) throw new Overtaken();
        return { ...response, isRepeated: false };
      },
      { ...(limitMs !== undefined && { limitMs }) },
    );
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}
