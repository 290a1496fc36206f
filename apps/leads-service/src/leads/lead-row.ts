/** The row of a {@link Lead}. */
export const leadColumns = `id, name, email, phone, status, source, notes, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;
