import { CANCELLED, NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { refuseInTransaction } from '@tenantry/tenancy/network';
import { inSpan } from '@tenantry/tracing';

/** Options of {@link readTexts}. */
interface TextsOptions {
  /** Addresses of resolvers, such as `9.9.9.9` or `[2620:fe::fe]:53`; none for those of the system. */
  readonly servers: readonly string[];
  /** How long the whole reading may take. */
  readonly timeoutMs: number;
}

/** The DNS did not say whether a name has TXT records; the message is for the log. */
export class UnreadableNameError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableNameError';
  }
}

/** That a name, or a record of it, does not exist. Anything else is a failure. */
const absences: readonly unknown[] = [NODATA, NOTFOUND];

/**
 * Reads the TXT records of a name through a resolver, which follows aliases. An answer has 64 KiB at most, as DNS over TCP has it.
 *
 * @returns each text as a whole; none if the name or such records do not exist
 * @throws {UnreadableNameError} if no resolver answers in time, or one says that it failed
 * @throws {NetworkInTransactionError} while a database transaction is open
 */
export async function readTexts(name: string, { servers, timeoutMs }: TextsOptions): Promise<string[]> {
  refuseInTransaction('read TXT records');
  // One each, since cancelling ends all that a resolver does.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const end = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const records = await inSpan('read TXT records', { kind: 'client' }, () => resolver.resolveTxt(name));
    return records.map((pieces) => pieces.join(''));
  } catch (error) {
    const { code = 'an unknown failure' } = error as NodeJS.ErrnoException;
    if (absences.includes(code)) return [];
    throw new UnreadableNameError(code === CANCELLED ? 'the answer took too long' : code);
  } finally {
    clearTimeout(end);
  }
}
