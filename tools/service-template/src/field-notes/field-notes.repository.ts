import { statement } from '@tenantry/tenancy';
import type { Rows } from '../database.ts';
import type { FieldNote, FieldNoteListQuery, FieldNotePage, NewFieldNote } from './field-note.ts';

/** The field notes of the organization whose rows it is given. */
export interface FieldNoteRepository {
  list(rows: Rows, query: FieldNoteListQuery): Promise<FieldNotePage>;
  find(rows: Rows, id: string): Promise<FieldNote | undefined>;
  insert(rows: Rows, fieldNote: NewFieldNote): Promise<{ id: string }>;
}

/** A field note as PostgreSQL answers it. */
interface FieldNoteRow extends Omit<FieldNote, 'createdAt'> {
  readonly createdAt: Date;
}

/** A row of a page; without an id where the page is empty, so that there is a total beyond the last page too. */
type FieldNotePageRow = { readonly total: number } & (FieldNoteRow | { readonly id: null });

// Page and total in one statement: one snapshot. The page is read from the index field_notes_…_created_at_id_idx.
const fieldNotePage = statement<FieldNotePageRow, [pageSize: number, offset: number]>({
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

const fieldNoteById = statement<FieldNoteRow, [id: string]>({
  name: 'field-note-by-id',
  text: 'SELECT id, title, created_at AS "createdAt" FROM field_notes WHERE organization_id = $1 AND id = $2',
});

const insertFieldNote = statement<{ id: string }, [title: string]>({
  name: 'field-note-insert',
  text: 'INSERT INTO field_notes (organization_id, title) VALUES ($1, $2) RETURNING id',
});

/** Field notes in PostgreSQL. */
export function createFieldNoteRepository(): FieldNoteRepository {
  return {
    async list(rows, { page, pageSize }) {
      const found = await rows.query(fieldNotePage, [pageSize, (page - 1) * pageSize]);
      const items = found.flatMap((row) => (row.id === null ? [] : [toFieldNote(row)]));
      return { items, total: found[0]?.total ?? 0 };
    },

    async find(rows, id) {
      const [row] = await rows.query(fieldNoteById, [id]);
      return row && toFieldNote(row);
    },

    async insert(rows, { title }) {
      const [created] = await rows.query(insertFieldNote, [title]);
      if (!created) throw new Error('INSERT … RETURNING answered no row');
      return created;
    },
  };
}

const toFieldNote = ({ id, title, createdAt }: FieldNoteRow): FieldNote => ({
  id,
  title,
  createdAt: createdAt.toISOString(),
});
