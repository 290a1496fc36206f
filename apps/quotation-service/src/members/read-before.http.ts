import { copiesBehind } from '@tenantry/service/events';
import type { FastifyRequest } from 'fastify';

/** What requests have read before their transaction, for the handlers in it. */
export class ReadBefore<Value> {
  readonly #values = new WeakMap<FastifyRequest, Value>();

  keep(request: FastifyRequest, value: Value): void {
    this.#values.set(request, value);
  }

  /** @throws UPSTREAM_UNAVAILABLE if it was not read, because an answer was stored that is gone now */
  of(request: FastifyRequest): Value {
    const value = this.#values.get(request);
    if (value === undefined) throw copiesBehind();
    return value;
  }
}
