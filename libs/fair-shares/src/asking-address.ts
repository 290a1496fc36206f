import { AsyncLocalStorage } from 'node:async_hooks';

const addresses = new AsyncLocalStorage<string>();

/**
 * Runs work, and everything that it awaits, on behalf of a client address.
 *
 * @param address as `addressKey` of libs/service gives it
 */
export function askedFrom<Result>(address: string, work: () => Result): Result {
  return addresses.run(address, work);
}

/** The client address on whose behalf the current work runs; undefined for work of the service itself. */
export function addressAsking(): string | undefined {
  return addresses.getStore();
}
