import type { OrganizationTransaction, UnscopedRows } from '@tenantry/tenancy';
import { unscopedStatement } from '../statements.ts';

/** The state of the reader. */
export interface ReaderState {
  readonly cursor: string | null;
  /** The number of times it has started over. */
  readonly round: number;
  /** Whether the end of the feed has been reached since the round began. */
  readonly isComplete: boolean;
  /** The version of the projection that stored everything up to the cursor. */
  readonly projection: number;
}

/** An organization or one of its members. */
export interface Subject {
  readonly organizationId: string;
  /** A member's user id, or the organization's own. */
  readonly subjectId: string;
}

/** Number of subjects read at a time. */
const batchSize = 200;

// Releases without versions update only the cursor.
const state = `
  SELECT cursor, round, is_complete AS "isComplete",
    CASE WHEN projection_cursor = cursor THEN projection ELSE 1 END AS projection
  FROM event_reader WHERE name = 'auth'`;
const subjects = `SELECT organization_id AS "organizationId", subject_id AS "subjectId" FROM event_subjects`;

const readerState = unscopedStatement({ name: 'event-reader', text: state });

const lockedReaderState = unscopedStatement({ name: 'event-reader-lock', text: `${state} FOR UPDATE` });

const advanceReader = unscopedStatement({
  name: 'event-reader-go-on',
  text: `
    UPDATE event_reader SET cursor = $3, is_complete = $4, projection = $5, projection_cursor = $3
    WHERE name = 'auth' AND cursor IS NOT DISTINCT FROM $1 AND round = $2`,
});

const rewindReader = unscopedStatement({
  name: 'event-reader-rewind',
  text: `UPDATE event_reader SET cursor = NULL WHERE name = 'auth' AND cursor = $1 AND round = $2`,
});

const restartReader = unscopedStatement({
  name: 'event-reader-begin-anew',
  text: `
    UPDATE event_reader SET cursor = NULL, round = round + 1, is_complete = false
    WHERE name = 'auth' AND cursor = $1 AND round = $2`,
});

const noteSubject = unscopedStatement({
  name: 'event-subjects-note',
  text: `
    INSERT INTO event_subjects AS known (organization_id, subject_id, round)
    VALUES ($1, $2, $3)
    ON CONFLICT (organization_id, subject_id) DO UPDATE SET round = excluded.round
    WHERE known.round <> excluded.round`,
});

const removeSubject = unscopedStatement({
  name: 'event-subjects-remove',
  text: 'DELETE FROM event_subjects WHERE organization_id = $1 AND subject_id = $2',
});

const membersOfOrganization = unscopedStatement({
  name: 'event-subjects-members',
  text: `${subjects} WHERE organization_id = $1 AND subject_id <> $1 LIMIT ${batchSize}`,
});

const goneSubjects = unscopedStatement({
  name: 'event-subjects-gone',
  text: `${subjects} WHERE round < $1 ORDER BY round, organization_id LIMIT ${batchSize}`,
});

/** The state of the feed's reader, in the tables of sql/events.sql. */
export class ReaderRepository {
  async find(rows: UnscopedRows): Promise<ReaderState> {
    return theOne(await rows.query(readerState, []));
  }

  /** Locks the state against other instances. @returns whether none of them has advanced from `state` since */
  async lock(rows: UnscopedRows, { cursor, round }: ReaderState): Promise<boolean> {
    const now = theOne(await rows.query(lockedReaderState, []));
    return now.cursor === cursor && now.round === round;
  }

  /** Advances from `state`, unless another instance has. */
  async goOn(
    rows: UnscopedRows,
    state: ReaderState,
    { cursor, isComplete, projection }: Pick<ReaderState, 'isComplete' | 'projection'> & { cursor: string },
  ): Promise<void> {
    await rows.query(advanceReader, [state.cursor, state.round, cursor, isComplete, projection]);
  }

  /** Reads everything again in the same round, since nothing was lost, unless another instance has advanced. */
  async rewind(rows: UnscopedRows, { cursor, round }: ReaderState): Promise<void> {
    if (cursor === null) return;
    await rows.query(rewindReader, [cursor, round]);
  }

  /** Starts over, unless another instance has. */
  async restart(rows: UnscopedRows, { cursor, round }: ReaderState): Promise<void> {
    if (cursor === null) return;
    await rows.query(restartReader, [cursor, round]);
  }

  /** Records that a subject appeared in a round. */
  note(tx: OrganizationTransaction, { organizationId, subjectId }: Subject, round: number): void {
    tx.send(noteSubject, [organizationId, subjectId, round]);
  }

  async remove(rows: UnscopedRows, { organizationId, subjectId }: Subject): Promise<void> {
    await rows.query(removeSubject, [organizationId, subjectId]);
  }

  /** Some of the members of an organization. */
  membersOf(rows: UnscopedRows, organizationId: string): Promise<Subject[]> {
    return rows.query(membersOfOrganization, [organizationId]);
  }

  /** Some of the subjects that did not appear in a round. */
  goneSubjects(rows: UnscopedRows, round: number): Promise<Subject[]> {
    return rows.query(goneSubjects, [round]);
  }
}

function theOne([row]: readonly ReaderState[]): ReaderState {
  if (!row) throw new Error('event_reader has no row: a migration of the service begins with sql/events.sql');
  return row;
}
