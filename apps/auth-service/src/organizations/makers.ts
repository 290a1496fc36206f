import { ClosedObject, Nullable, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';

/** Who made something in an organization; the name is null once they are no member. */
export interface Maker {
  readonly userId: string;
  readonly name: string | null;
}

/** As {@link Maker}, in a response. */
export const MakerSchema = ClosedObject({
  userId: Uuid(),
  name: Nullable(Type.String({ description: 'null once they have left', examples: ['Ada Lovelace'] })),
});

/** The columns of {@link made}, of a table with `created_by`, in the scope of an organization. */
export const makerColumns = (of: string) => `${of}.created_by AS "createdBy", (
  SELECT u.name FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = $1 AND m.user_id = ${of}.created_by) AS "createdByName"`;

/** A row with its maker. */
export function made<Row extends { readonly createdBy: string; readonly createdByName: string | null }>({
  createdBy: userId,
  createdByName: name,
  ...row
}: Row) {
  return { ...row, createdBy: { userId, name } satisfies Maker };
}
