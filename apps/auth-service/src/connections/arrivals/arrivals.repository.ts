import { statement, type Rows } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** A sign-in by a connection, or a request of its directory, as it is stored. */
export type StoredArrival = Statements['arrivals']['row'];

/** One that is about to be noted. */
interface NewArrival {
  readonly connectionId: string;
  readonly kind: 'sign-in' | 'directory';
  readonly code: string;
  readonly address: string | null;
  readonly at: Date;
}

/** Of each kind. */
const keptMax = 100;

const arrivals = statement({
  name: 'arrivals',
  times: 'text',
  text: `
    SELECT a.kind, a.code, a.address, a.at FROM arrivals a
    JOIN connections c ON c.organization_id = a.organization_id AND c.id = a.connection_id
    WHERE a.organization_id = $1 AND a.connection_id = $2
    ORDER BY a.at DESC, a.kind,
      (CASE a.kind WHEN 'sign-in' THEN c.sign_in_slot ELSE c.directory_slot END - a.slot + ${keptMax}) % ${keptMax}`,
});

// The row of the connection gives each its place, which those of the same time wait for. Clocks are set back by some milliseconds
// now and then, and those of two instances differ: none is listed before one that came earlier.
const noteArrival = statement({
  name: 'arrival-note',
  text: `
    WITH turn AS (
      UPDATE connections SET
        sign_in_slot = CASE WHEN $3::text = 'sign-in' THEN (sign_in_slot + 1) % ${keptMax} ELSE sign_in_slot END,
        directory_slot = CASE WHEN $3 = 'directory' THEN (directory_slot + 1) % ${keptMax} ELSE directory_slot END
      WHERE organization_id = $1 AND id = $2
      RETURNING CASE WHEN $3 = 'sign-in' THEN sign_in_slot ELSE directory_slot END AS slot)
    INSERT INTO arrivals (organization_id, connection_id, kind, slot, code, address, at)
    SELECT $1::uuid, $2::uuid, $3, turn.slot, $4::text, $5::text,
      CASE WHEN last.at BETWEEN $6::timestamptz AND $6 + interval '1 second' THEN last.at ELSE $6 END
    FROM turn LEFT JOIN arrivals last ON last.organization_id = $1 AND last.connection_id = $2 AND last.kind = $3
      AND last.slot = (turn.slot + ${keptMax - 1}) % ${keptMax}
    ON CONFLICT (organization_id, connection_id, kind, slot) DO UPDATE
    SET code = excluded.code, address = excluded.address, at = excluded.at`,
});

/** Stores the last arrivals of each connection in the scope's organization. */
export class ArrivalsRepository {
  /** Newest first. */
  list(rows: Rows, connectionId: string): Promise<StoredArrival[]> {
    return rows.query(arrivals, [connectionId]);
  }

  /** In the place of the oldest of its kind, if there are as many as are kept; nothing where the connection is gone. */
  async note(rows: Rows, { connectionId, kind, code, address, at }: NewArrival): Promise<void> {
    await rows.query(noteArrival, [connectionId, kind, code, address, at]);
  }
}
