import { pageOf } from '@tenantry/tenancy';
import { statement, type Rows } from '../database.ts';
import type { FieldNote, FieldNoteListQuery, FieldNotePage, NewFieldNote } from './field-note.ts';

// Page and total in one statement: one snapshot. The page is read from the index field_notes_…_created_at_id_idx.
const fieldNotePage = statement({
  name: 'field-note-page',
  text: `
    SELECT counted.total, page.id, page.title, page.created_at AS "createdAt"
    FROM (SELECT count(*)::int AS total FROM field_notes WHERE organization_id = $1) counted
    LEFT JOIN (
      SELECT id, title, created_at FROM field_notes WHERE organization_id = $1
      ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
    ) page ON true
    ORDER BY page.created_at DESC, page.id DESC`,
});

const fieldNoteById = statement({
  name: 'field-note-by-id',
  text: 'SELECT id, title, created_at AS "createdAt" FROM field_notes WHERE organization_id = $1 AND id = $2',
});

const insertFieldNote = statement({
  name: 'field-note-insert',
  text: 'INSERT INTO field_notes (organization_id, title) VALUES ($1, $2) RETURNING id',
});

/** The field notes of the organization whose rows it is given. */
export class FieldNoteRepository {
  async list(rows: Rows, { page, pageSize }: FieldNoteListQuery): Promise<FieldNotePage> {
    return pageOf(await rows.query(fieldNotePage, [pageSize, (page - 1) * pageSize]));
  }

  async find(rows: Rows, id: string): Promise<FieldNote | undefined> {
    return (await rows.query(fieldNoteById, [id]))[0];
  }

  async insert(rows: Rows, { title }: NewFieldNote): Promise<{ id: string }> {
    const [created] = await rows.query(insertFieldNote, [title]);
    if (!created) throw new Error('INSERT … RETURNING answered no row');
    return created;
  }
}
