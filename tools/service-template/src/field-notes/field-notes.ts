import type { Audit } from '@tenantry/business-service'; //#with audit
import type { Context, Rows, Tenant } from '../database.ts';
import type { FieldNoteAction } from './field-note-actions.ts'; //#with audit
import type { FieldNoteListQuery, FieldNotePage, NewFieldNote } from './field-note.ts';
import type { FieldNote } from './field-note.ts'; //#with !events
import type { WholeFieldNote } from './field-note.ts'; //#with events
import { fieldNoteNotFound } from './field-notes.errors.ts';
import type { FieldNoteRepository } from './field-notes.repository.ts';

/** What can be done with the field notes of an organization. */
export interface FieldNotes {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: FieldNoteListQuery): Promise<FieldNotePage>;
  get(rows: Rows, id: string): Promise<FieldNote>; //#with !events
  get(rows: Rows, id: string): Promise<WholeFieldNote>; //#with events
  create(context: Context, fieldNote: NewFieldNote): Promise<{ id: string }>;
}

/** What field notes need. */
export interface FieldNotesOptions {
  readonly repository: FieldNoteRepository;
  /** Gives the name of the organization, once auth-service has told it. */ //#with events
  readonly organizations: { nameOf(rows: Rows): Promise<string | null> }; //#with events
  readonly audit: Audit<FieldNoteAction>; //#with audit
}

export function createFieldNotes({ repository/*#events , organizations*//*#audit , audit*/ }: FieldNotesOptions): FieldNotes {
  return {
    list: (tenant, query) => repository.list(tenant, query),

    async get(rows, id) {
      const fieldNote = await repository.find(rows, id);
      if (!fieldNote) throw fieldNoteNotFound();
      return { ...fieldNote, organizationName: await organizations.nameOf(rows) }; //#with events
      return fieldNote; //#with !events
    },

    create: ({ tenant }, fieldNote) => repository.insert(tenant, fieldNote), //#with !audit
    //#with audit
    create: ({ tenant, actor }, fieldNote) =>
      tenant.transaction(async (tx) => {
        const created = await repository.insert(tx, fieldNote);
        const target = { type: 'field-note', id: created.id, name: fieldNote.title };
        await audit.record(tx, { actor, action: 'field-note.created', target });
        return created;
      }),
    //#end
  };
}
