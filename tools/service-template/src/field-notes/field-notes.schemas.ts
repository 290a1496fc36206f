import { PageOf, SuccessOf } from '@tenantry/envelope';
import {
  ClosedObject,
  LineOf,
  Nullable,
  PageQueryOf,
  Text,
  Timestamp,
  Uuid,
} from '@tenantry/service/resources';

/** The path of a single field note. */
export const FieldNotePath = ClosedObject({ id: Uuid() });

/** The query of the list. */
export const FieldNoteListQuerySchema = PageQueryOf({});

/** The body of a new field note. */
export const NewFieldNoteSchema = ClosedObject(
  { title: LineOf(200, { examples: ['A first field note'] }) },
  { title: 'NewFieldNote' },
);

const fields = { id: Uuid(), title: Text('A first field note'), createdAt: Timestamp() };

const FieldNoteListItemSchema = ClosedObject(fields, { title: 'FieldNoteListItem' });
const FieldNoteSchema = ClosedObject(
  { ...fields, organizationName: Nullable(Text('Analytical Engines')) },
  { title: 'FieldNote' },
);

/** The list's answer. */
export const FieldNoteListAnswer = PageOf(FieldNoteListItemSchema);

/** The answer about one field note. */
export const FieldNoteAnswer = SuccessOf(FieldNoteSchema);

/** The answer to a creation. */
export const FieldNoteCreatedAnswer = SuccessOf(ClosedObject({ id: Uuid() }));
