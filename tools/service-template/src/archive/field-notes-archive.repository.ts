import { archiveTables } from '@tenantry/service/archive';
import { statement } from '../database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** What of field notes is in the archive of an organization. */
export const fieldNotesArchive = {
  name: 'FieldNotes',
  tables: archiveTables(statement, {
    exported: {
      field_notes: { fields: Prisma.FieldNoteScalarFieldEnum, order: 'id' },
      audit_events: { fields: Prisma.AuditEventScalarFieldEnum, order: 'id' },
    },
    derived: { organizations: 'copied from the events of auth-service' },
    kept: {},
  }),
  sheets: [
    {
      name: 'field-notes',
      table: 'field_notes',
      columns: { id: 'id', title: 'title', created_at: 'createdAt' },
    },
  ],
};
