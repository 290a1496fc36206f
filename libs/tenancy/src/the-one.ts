/** The row of a query that always answers one. */
export function theOne<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('a query that always answers a row answered none');
  return row;
}
