import type { TenantTransaction } from '@tenantry/tenancy';
import type { Tenant } from '../tenants.ts';
import { keyInUse, keyReused } from './idempotency.errors.ts';
import type { KeptAnswer, KeptAnswers, RequestKey } from './kept-answers.ts';

/** A request that is executed once. */
export interface OnceRequest<Client> {
  readonly tenant: Tenant<Client>;
  readonly key: RequestKey;
  /** Executes the request, in the transaction that stores its response. */
  readonly work: (tx: TenantTransaction<Client, { readonly organizationId: string }>) => Promise<KeptAnswer>;
  /** Timeout of that transaction. */
  readonly limitMs?: number;
}

/** Options of {@link answerOnce}. */
export interface AnswerOnceOptions<Client> extends OnceRequest<Client> {
  readonly answers: KeptAnswers;
  /** Waits that many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/** A response, and whether it was replayed. */
export interface OnceAnswer extends KeptAnswer {
  readonly isRepeated: boolean;
}

/** Pauses while a request waits for the first one with its key, holding no connection: 1.6 s in total. */
const waitsMs = [25, 50, 100, 200, 400, 800];

/**
 * Answers a request that may be sent several times. The first one does the work and stores its response in the same
 * transaction: both exist, or neither does. Any later one gets the stored response, waits for it, or is told to retry.
 *
 * @throws {ApiError} IDEMPOTENCY_KEY_REUSED for another request under the same key, IDEMPOTENCY_KEY_IN_USE while the
 * first one still runs.
 */
export async function answerOnce<Client>(options: AnswerOnceOptions<Client>): Promise<OnceAnswer> {
  for (const wait of waitsMs) {
    const answer = await tryOnce(options);
    if (answer) return answer;
    await options.pause(wait);
  }
  throw keyInUse();
}

/** Thrown to roll back, since another transaction has stored a response meanwhile. */
class Overtaken extends Error {}

async function tryOnce<Client>(options: AnswerOnceOptions<Client>): Promise<OnceAnswer | undefined> {
  const { tenant, key, work, answers, limitMs } = options;
  try {
    return await tenant.transaction(
      async (tx) => {
        const { held, kept } = await answers.hold(tx, key);
        if (kept) {
          if (![key.request, key.asWritten].some((same) => kept.request.equals(same))) throw keyReused();
          return { ...kept, isRepeated: true };
        }
        if (!held) return undefined;
        const answer = await work(tx);
        if (!(await answers.keep(tx, key, answer))) throw new Overtaken();
        return { ...answer, isRepeated: false };
      },
      { ...(limitMs !== undefined && { limitMs }) },
    );
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}
