import { describe, expect, it } from 'vitest';
import { statement } from '@tenantry/tenancy';
import { definedStatements } from '@tenantry/tenancy/testing';

let count = 0;
const define = (text: string, owner?: 'user') => () => {
  const name = `s${count++}`;
  return owner ? statement({ name, text, owner }) : statement({ name, text });
};

describe('a statement is accepted when it keeps to its tenant', () => {
  it.each([
    'SELECT * FROM leads WHERE organization_id = $1',
    'SELECT * FROM leads l WHERE l.id = $2 AND l.organization_id = $1',
    'UPDATE leads SET name = $2 WHERE\n  organization_id = $1 AND id = $3',
    'INSERT INTO leads (organization_id, name) VALUES ($1, $2)',
    'INSERT INTO leads\n  (organization_id, name)\nSELECT $1, n FROM unnest($2::text[]) n',
  ])('%s', (text) => {
    expect(define(text)).not.toThrow();
  });

  it('by user, where it says so', () => {
    expect(define('SELECT * FROM memberships WHERE user_id = $1', 'user')).not.toThrow();
  });
});

describe('a statement is refused at definition when it reaches beyond its tenant', () => {
  it.each([
    'SELECT * FROM leads',
    'SELECT * FROM leads WHERE id = $1',
    'SELECT * FROM leads WHERE organization_id = $2',
    'SELECT * FROM leads WHERE organization_id = $10',
    'SELECT * FROM leads WHERE organization_id <> $1',
    'SELECT * FROM leads WHERE parent_organization_id = $1',
    'SELECT * FROM leads -- WHERE organization_id = $1',
    'SELECT * FROM leads /* organization_id = $1 */',
    'INSERT INTO leads (name, organization_id) VALUES ($1, $2)',
    'DELETE FROM leads',
    'SELECT * FROM memberships WHERE user_id = $1',
  ])('%s', (text) => {
    expect(define(text)).toThrow(expect.objectContaining({ code: 'STATEMENT_UNSCOPED' }));
  });
});

it('a name belongs to one statement of a project', () => {
  const text = 'SELECT * FROM leads WHERE organization_id = $1';
  const again = (more = '') =>
    statement({ name: 'twice', text: text + more, described: { project: 'of-twice' } });
  expect(again().text).toBe(again().text);
  expect(() => again(' AND id = $2')).toThrow(expect.objectContaining({ code: 'STATEMENT_NAMED_TWICE' }));
});

it('the statements of some projects are theirs alone', () => {
  const text = 'SELECT * FROM leads WHERE organization_id = $1';
  const own = statement({ name: 'judged', text, described: { project: 'own-service' } });
  const others = statement({
    name: 'judged',
    text: `${text} AND id = $2`,
    described: { project: 'other-service' },
  });
  const shared = statement({ name: 'shared', text, described: { project: 'library' } });
  statement({ name: 'judged', text: `${text} AND id = $3` });
  expect(definedStatements('own-service', 'library')).toEqual([own, shared]);
  expect(definedStatements('other-service')).toEqual([others]);
});
