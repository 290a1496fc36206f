import { PageOf, SuccessOf } from '@tenantry/envelope';
import { LineOf, PageQueryOf, Text, Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Nullable } from '@tenantry/service-kit/resources'; //#with events
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The path of a single field note. */
export const FieldNotePath = Type.Object({ id: Uuid() }, closed);

/** The query of the list. */
export const FieldNoteListQuerySchema = PageQueryOf({});

/** The body of a new field note. */
export const NewFieldNoteSchema = Type.Object(
  { title: LineOf(200, { examples: ['A first field note'] }) },
  { ...closed, title: 'NewFieldNote' },
);

const fields = { id: Uuid(), title: Text('A first field note'), createdAt: Timestamp() };

const FieldNoteListItemSchema = Type.Object(fields, { ...closed, title: 'FieldNoteListItem' }); //#with events
const FieldNoteSchema = Type.Object(fields, { ...closed, title: 'FieldNote' }); //#with !events
//#with events
const FieldNoteSchema = Type.Object(
  { ...fields, organizationName: Nullable(Text('Analytical Engines')) },
  { ...closed, title: 'FieldNote' },
);
//#end

/** The list's answer. */
export const FieldNoteListAnswer = PageOf(FieldNoteListItemSchema); //#with events
export const FieldNoteListAnswer = PageOf(FieldNoteSchema); //#with !events

/** The answer about one field note. */
export const FieldNoteAnswer = SuccessOf(FieldNoteSchema);

/** The answer to a creation. */
export const FieldNoteCreatedAnswer = SuccessOf(Type.Object({ id: Uuid() }, closed));
