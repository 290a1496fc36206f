import type { Audit } from '@tenantry/service/audit';
import type { Context, Rows, Tenant } from '../database.ts';
import type { FieldNoteAction } from './field-note-actions.ts';
import type { FieldNoteListQuery, FieldNotePage, NewFieldNote, WholeFieldNote } from './field-note.ts';
import { fieldNoteNotFound } from './field-notes.errors.ts';
import type { FieldNoteRepository } from './field-notes.repository.ts';

/** What field notes need. */
export interface FieldNotesOptions {
  readonly repository: FieldNoteRepository;
  /** Gives the name of the organization, once auth-service has told it. */
  readonly organizations: { nameOf(rows: Rows): Promise<string | null> };
  readonly audit: Audit<FieldNoteAction>;
}

/** What can be done with the field notes of an organization. */
export class FieldNotes {
  readonly #options: FieldNotesOptions;

  constructor(options: FieldNotesOptions) {
    this.#options = options;
  }

  /** One page, with the exact total. */
  list(tenant: Tenant, query: FieldNoteListQuery): Promise<FieldNotePage> {
    return this.#options.repository.list(tenant, query);
  }

  async get(rows: Rows, id: string): Promise<WholeFieldNote> {
    const { repository, organizations } = this.#options;
    const fieldNote = await repository.find(rows, id);
    if (!fieldNote) throw fieldNoteNotFound();
    return { ...fieldNote, organizationName: await organizations.nameOf(rows) };
  }

  create({ tenant, actor }: Context, fieldNote: NewFieldNote): Promise<{ id: string }> {
    const { repository, audit } = this.#options;
    return tenant.transaction(async (tx) => {
      const created = await repository.insert(tx, fieldNote);
      const target = { type: 'field-note', id: created.id, name: fieldNote.title };
      await audit.record(tx, { actor, action: 'field-note.created', target });
      return created;
    });
  }
}
