import { valuesOf } from '../protocol/query.ts';
import { historyNamed } from './consistency-token.ts';

// The history stands in a file that costs more to read than a short statement, so a server is asked for it once. It
// notes a new timeline when it next writes to its data, which may be some minutes after a failover.
const text = `
  SELECT pg_is_in_recovery() AS "isRecovering", (pg_last_wal_replay_lsn() - '0/0')::text AS lsn, server,
    CASE WHEN server = ANY ($1::text[]) THEN NULL ELSE (
      SELECT system_identifier || ':' ||
        lpad(upper(to_hex(greatest(c.timeline_id, r.min_recovery_end_timeline))), 8, '0')
      FROM pg_control_system(), pg_control_checkpoint() AS c, pg_control_recovery() AS r) END AS history
  FROM (SELECT pg_postmaster_start_time()::text AS server) AS this`;

interface StateRow {
  readonly isRecovering: boolean;
  /** What it has replayed. */
  readonly lsn: string | null;
  /** The moment that it was started at, which tells servers behind one address apart. */
  readonly server: string;
  /** Null for one of the `known` servers. */
  readonly history: string | null;
}

/** What a replica says of itself. */
export type ReplicaState = ReturnType<typeof stateIn>;

/** Asks a replica about itself; `known` are servers whose history has been asked for. */
export const whereIsReplica = (known: readonly string[]) => ({
  name: 'replica-position',
  text,
  values: valuesOf([known]),
});

/** Reads the answer. */
export function stateIn({ rows }: { readonly rows: unknown[] }) {
  const { isRecovering, lsn, server, history } = rows[0] as StateRow;
  const named = history === null ? undefined : historyNamed(history);
  return { isRecovering, lsn: BigInt(lsn ?? 0), server, history: named };
}
