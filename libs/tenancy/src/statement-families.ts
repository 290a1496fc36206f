const families: (() => void)[] = [];

/**
 * One of a thing for each of some names, such as a statement for each order of a list: made when it is first asked for, and kept.
 * The names are all that there are, so that no SQL is assembled from a request. For modules, not for each request.
 *
 * @example
 * const pages = statementFamily(['name', '-name'], (order) => statement({ name: `note-page-${order}`, text: textOf(order) }));
 * await rows.query(pages[order], [pageSize, offset]);
 */
export function statementFamily<Name extends string, Member>(
  names: readonly Name[],
  make: (name: Name) => Member,
): Readonly<Record<Name, Member>> {
  const family = Object.create(null) as Record<Name, Member>;
  for (const name of names) {
    Object.defineProperty(family, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = make(name);
        Object.defineProperty(family, name, { value });
        return value;
      },
    });
  }
  families.push(() => Object.values(family));
  return family;
}

/** Has every member of every family made, for the tests that judge statements. */
export function makeEveryMember(): void {
  // A member may be a family itself, which is then the next one.
  for (const family of families) family();
}
