/** What the audit trail records of field notes. */
export const fieldNoteActions = ['field-note.created', 'field-note.sent'] as const;

/** One of {@link fieldNoteActions}. */
export type FieldNoteAction = (typeof fieldNoteActions)[number];
