import { isTenantryError } from './errors.ts';
import type { OperationId } from './generated/operations.ts';
import { json, operationOf, type Request } from './requests.ts';

/** The oldest is forgotten. */
const keptMax = 100;

/**
 * The Idempotency-Keys of calls that failed without an answer, so that it is unknown whether they were executed. The same call
 * again has the same key, and so is executed once at most.
 */
export class Unanswered {
  readonly #keys = new Map<string, string>();

  /** Sends a call with a key, which is undefined if the operation takes none. */
  async send<Result>(
    id: OperationId,
    request: Request,
    sending: (idempotencyKey: string | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { isKeyed, sends } = operationOf(id);
    if (!isKeyed || request.idempotencyKey !== undefined) return sending(request.idempotencyKey);
    // Files and streams are not compared.
    if (sends !== json) return sending(newKey());
    const { path, query, body, ifMatch } = request;
    const call = JSON.stringify([id, path, query, ifMatch, body]);
    const key = this.#keys.get(call) ?? newKey();
    // Another such call while this one is under way is meant to be executed too.
    this.#keys.delete(call);
    try {
      return await sending(key);
    } catch (error) {
      if (mayBeExecuted(error)) this.#keep(call, key);
      throw error;
    }
  }

  #keep(call: string, key: string): void {
    this.#keys.set(call, key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > keptMax && oldest !== undefined) this.#keys.delete(oldest);
  }
}

/** Whether the call was, or may yet be, executed: an aborted one too. */
function mayBeExecuted(error: unknown): boolean {
  if (!isTenantryError(error)) return true;
  const { status, code } = error;
  return status < 400 || status >= 500 || code === 'IDEMPOTENCY_KEY_IN_USE';
}

/** Unique, but not secret: React Native has no `crypto`. */
const newKey = (): string => `${Math.random()}-${Math.random()}-${Math.random()}`;
