/** An organization that was deleted, until it is purged. */
export interface DeletedOrganization {
  readonly id: string;
  /** Null if it cannot be restored, because no owner is left. */
  readonly name: string | null;
  readonly slug: string | null;
  readonly deletedBy: string | null;
  readonly deletedAt: Date;
  /** From then on nothing of it is kept, in any service. */
  readonly purgeAt: Date;
}

/** What there is of an organization. */
export type Standing =
  | { readonly state: 'live' }
  | { readonly state: 'deleted'; readonly purgeAt: Date }
  | { readonly state: 'gone' };
