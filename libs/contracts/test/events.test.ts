import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { EventPage, readEvent, type AuthEvent } from '../src/index.ts';

const organizationId = '0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f';
const member = {
  organizationId,
  userId: organizationId,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  familyName: null,
  role: 'owner',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const added: AuthEvent = { type: 'member.added', ...member };

describe('an event', () => {
  it('of an earlier version is read, though it says less', () => {
    expect(readEvent(added)).toEqual(added);
  });

  it('of a later version is read, whatever else it says', () => {
    const later = { ...added, id: '1', favouriteColour: 'green' };
    expect(readEvent(later)).toMatchObject(member);
    expect(Check(EventPage, { cursor: 'next', entries: [later], more: true })).toBe(true);
  });

  it.each(['member.promoted', 'toString', ''])('of the unknown type %o is passed over', (type) => {
    expect(readEvent({ type })).toBeUndefined();
  });

  it.each(Object.keys(member))('is refused without %s', (property) => {
    const lacking = { ...added, [property]: undefined };
    expect(() => readEvent(lacking)).toThrow('an event of the type member.added lacks a property');
  });

  it('without an organization makes no page', () => {
    expect(Check(EventPage, { cursor: 'next', entries: [{ ...added, organizationId: 'none' }] })).toBe(false);
  });
});
