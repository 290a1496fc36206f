import { statement, type Rows } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** What the letter about an export says, and whether one was written for this user within the hour. */
export type ExportLetter = Statements['organization-export-letter']['row'];

// An entry of the same transaction is not there yet: it is sent with its end.
const letterOfExport = statement({
  name: 'organization-export-letter',
  text: `
    SELECT o.name AS "organizationName", u.name AS by, EXISTS (
      SELECT FROM audit_events WHERE organization_id = $1 AND action = 'organization.exported' AND actor_user_id = $2
        AND created_at > $3::timestamptz - INTERVAL '1 hour') AS "isTold"
    FROM organizations o JOIN users u ON u.id = $2
    WHERE o.id = $1`,
});

/** Reads what owners are told of exports. */
export class ExportsRepository {
  async letter(rows: Rows, userId: string, at: Date): Promise<ExportLetter | undefined> {
    return (await rows.query(letterOfExport, [userId, at]))[0];
  }
}
