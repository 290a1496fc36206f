import type { Audit } from '@tenantry/business-service'; //#with audit
import type { Context, Rows, Tenant } from '../database.ts';
import type { FieldNoteAction } from './field-note-actions.ts'; //#with audit
import type { FieldNoteListQuery, FieldNotePage, NewFieldNote } from './field-note.ts';
import type { FieldNote } from './field-note.ts'; //#with !events
import type { WholeFieldNote } from './field-note.ts'; //#with events
import { fieldNoteNotFound } from './field-notes.errors.ts';
import type { FieldNoteRepository } from './field-notes.repository.ts';

/** What field notes need. */
export interface FieldNotesOptions {
  readonly repository: FieldNoteRepository;
  /** Gives the name of the organization, once auth-service has told it. */ //#with events
  readonly organizations: { nameOf(rows: Rows): Promise<string | null> }; //#with events
  readonly audit: Audit<FieldNoteAction>; //#with audit
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

  //#with !events
  async get(rows: Rows, id: string): Promise<FieldNote> {
    const fieldNote = await this.#options.repository.find(rows, id);
    if (!fieldNote) throw fieldNoteNotFound();
    return fieldNote;
  }
  //#end
  //#with events
  async get(rows: Rows, id: string): Promise<WholeFieldNote> {
    const { repository, organizations } = this.#options;
    const fieldNote = await repository.find(rows, id);
    if (!fieldNote) throw fieldNoteNotFound();
    return { ...fieldNote, organizationName: await organizations.nameOf(rows) };
  }
  //#end

  //#with !audit
  create({ tenant }: Context, fieldNote: NewFieldNote): Promise<{ id: string }> {
    return this.#options.repository.insert(tenant, fieldNote);
  }
  //#end
  //#with audit
  create({ tenant, actor }: Context, fieldNote: NewFieldNote): Promise<{ id: string }> {
    const { repository, audit } = this.#options;
    return tenant.transaction(async (tx) => {
      const created = await repository.insert(tx, fieldNote);
      const target = { type: 'field-note', id: created.id, name: fieldNote.title };
      await audit.record(tx, { actor, action: 'field-note.created', target });
      return created;
    });
  }
  //#end
}
