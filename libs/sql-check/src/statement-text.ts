/** A statement as `describedStatements` of tenancy defines it. */
export interface StatementText {
  readonly name: string;
  readonly text: string;
  readonly owner: 'organization' | 'user' | 'unscoped';
  /** How times are read; default: dates. */
  readonly times?: 'dates' | 'text' | undefined;
  readonly described?: { readonly project: string; readonly like?: string | undefined } | undefined;
}
