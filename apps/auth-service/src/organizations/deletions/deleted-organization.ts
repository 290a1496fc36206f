/** An organization that was deleted, until it is purged. */
export interface DeletedOrganization {
  readonly id: string;
  /** Null if it cannot be restored, because no owner is left. */
  readonly name: string | null;
  readonly slug: string | null;
  readonly deletedBy: string | null;
  readonly deletedAt: Date;
  /** From then on its data is deleted, in every service. */
  readonly purgeAt: Date;
}

/** The state of an organization. */
export type Standing =
  | { readonly state: 'live' }
  | { readonly state: 'deleted'; readonly purgeAt: Date }
  | { readonly state: 'gone' };
