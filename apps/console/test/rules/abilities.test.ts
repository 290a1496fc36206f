import { describe, expect, test } from 'vitest';
import { abilitiesOf, grantableRoles, type Subject } from '../../src/people/abilities.ts';
import { permissionsOf } from '../support/starts.ts';

const viewer = (role: keyof typeof permissionsOf, isConfined = false) => ({
  ...{ id: 'ada', permissions: permissionsOf[role], isConfined },
});
const subject = (role: Subject['role'], more: Partial<Subject> = {}): Subject => ({
  ...{ id: 'grace', role, disabled: false },
  ...more,
});

describe('what can be done with a member', () => {
  test('is nothing for another member, and leaving for oneself', () => {
    expect(abilitiesOf(viewer('member'), subject('member'))).toEqual([]);
    for (const role of ['member', 'admin', 'owner'] as const) {
      expect(abilitiesOf(viewer(role), subject(role, { id: 'ada' }))).toEqual(['leave']);
      expect(abilitiesOf(viewer(role, true), subject(role, { id: 'ada' }))).toEqual([]);
    }
  });

  test('is for an admin what an admin may, and never to an owner', () => {
    expect(abilitiesOf(viewer('admin'), subject('member'))).toEqual(['rename', 'change-role', 'remove']);
    expect(abilitiesOf(viewer('admin'), subject('admin'))).toEqual(['rename', 'change-role', 'remove']);
    expect(abilitiesOf(viewer('admin'), subject('owner'))).toEqual([]);
  });

  test('is everything for an owner: an account is disabled or enabled, and only one who can act becomes an owner', () => {
    expect(abilitiesOf(viewer('owner'), subject('admin'))).toEqual([
      ...['rename', 'change-role', 'transfer', 'reset-two-factor', 'disable', 'remove'],
    ]);
    expect(abilitiesOf(viewer('owner'), subject('member', { disabled: true }))).toEqual([
      ...['rename', 'change-role', 'reset-two-factor', 'enable', 'remove'],
    ]);
    expect(abilitiesOf(viewer('owner'), subject('owner'))).not.toContain('transfer');
  });
});

test('no member grants a role above their own', () => {
  expect(grantableRoles(permissionsOf.admin)).toEqual(['member', 'admin']);
  expect(grantableRoles(permissionsOf.owner)).toEqual(['member', 'admin', 'owner']);
});
