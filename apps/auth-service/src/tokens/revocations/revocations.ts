import type { Transaction } from '../../database.ts';
import { openFeed } from '../../events/index.ts';
import type { Ground } from '../../ground/index.ts';
import { newsOf, type EndedKeys, type Revocation } from './revocation.ts';
import { RevocationsRepository, revocationsTable, sweepRevocations } from './revocations.repository.ts';

/** Entries expire after a quarter of an hour: a verifier that was down for longer than this reads all of them again. */
const retentionSeconds = 60 * 60;

const repository = new RevocationsRepository();

/**
 * Announces to every verifying service that tokens are no longer valid, as soon as the transaction commits.
 *
 * Call it after the change that causes it, with nothing slow in between: the revocation takes its time, `at`, from this call.
 *
 * @returns for a session: from when on tokens of its user are issued, if its ending revoked all there are
 */
export async function recordRevocation(tx: Transaction, revocation: Revocation): Promise<Date | undefined> {
  const { kind, at } = revocation;
  if (kind === 'session') return repository.insertSession(tx, revocation, newsOf({ kind: 'user', at }));
  await repository.insert(tx, revocation, newsOf(revocation));
  return undefined;
}

/**
 * As {@link recordRevocation}, for the tokens of keys, in the scope of their organization; beyond a number of them in an organization for
 * all tokens of the account, which is to exist still.
 */
export async function recordKeyRevocations(tx: Transaction, ended: EndedKeys): Promise<void> {
  const { accountId: userId, at } = ended;
  if (await repository.insertKeys(tx, ended, newsOf({ kind: 'session', at }))) return;
  await recordRevocation(tx, { kind: 'member', userId, at });
}

/** As {@link recordRevocation}, for all tokens for the organization of the scope. */
export async function recordOrganizationRevocation(
  tx: Transaction,
  { at }: { readonly at: Date },
): Promise<void> {
  await repository.insertForOrganization(tx, newsOf({ kind: 'organization', at }));
}

/** Opens the feed of revocations: a reader gets all there are in one page. */
export function createRevocations(ground: Pick<Ground, 'database' | 'logger' | 'now'>) {
  const { feed, wake, sweepMarks } = openFeed(ground, revocationsTable, {
    pageMax: Number.MAX_SAFE_INTEGER,
    retentionSeconds,
  });
  return {
    feed,
    background: {
      wakes: { revocations: wake },
      sweeps: { revocations: () => sweepRevocations(ground.database.unscoped), revocationMarks: sweepMarks },
    },
  };
}
