/** Whether a list names each of these once, in whatever order. */
export function isOrderOf(ids: readonly string[], list: readonly string[]): boolean {
  const named = new Set(list.map((id) => id.toLowerCase()));
  return list.length === ids.length && named.size === ids.length && ids.every((id) => named.has(id));
}
