/** A field note. Times are ISO 8601 UTC. */
export interface FieldNote {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
}

/** A field note, and whose it is. */
export interface WholeFieldNote extends FieldNote {
  /** Null until auth-service has told it. */
  readonly organizationName: string | null;
}

/** What a new field note is made of. */
export interface NewFieldNote {
  readonly title: string;
}

/** Which page of the field notes, newest first. */
export interface FieldNoteListQuery {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** One page, and how many field notes there are in all, as of one moment. */
export interface FieldNotePage {
  readonly items: FieldNote[];
  readonly total: number;
}
