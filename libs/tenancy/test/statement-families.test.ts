import { statement, statementFamily } from '@tenantry/tenancy';
import { definedStatements } from '@tenantry/tenancy/testing';
import { expect, it } from 'vitest';

it('a member is made when it is first asked for, and kept', () => {
  const made: string[] = [];
  const family = statementFamily(['name', '-name'], (order) => {
    made.push(order);
    return { order };
  });
  expect(made).toEqual([]);
  expect(family['-name']).toBe(family['-name']);
  expect(made).toEqual(['-name']);
  expect(Object.keys(family)).toEqual(['name', '-name']);
  expect(made).toEqual(['-name']);
});

it('a name that is not of the family has no member', () => {
  const family: Readonly<Record<string, string>> = statementFamily(['name'], (order) => order);
  expect(family['email; DROP TABLE notes']).toBeUndefined();
  expect(family['constructor']).toBeUndefined();
});

it('every member is there for the judge of statements, of families of families too', () => {
  const family = statementFamily(['first', 'second'], (order) =>
    statementFamily(['all', 'found'], (kind) =>
      statement({
        name: `family-${order}-${kind}`,
        text: 'SELECT * FROM notes WHERE organization_id = $1',
        described: { project: 'of-families' },
      }),
    ),
  );
  const asked = family.second.found;
  const members = definedStatements('of-families');
  expect(members.map(({ name }) => name).sort()).toEqual([
    'family-first-all',
    'family-first-found',
    'family-second-all',
    'family-second-found',
  ]);
  expect(members).toContain(asked);
});
