import { changedFields } from '@tenantry/service/resources';
import { expect, it } from 'vitest';

it('the changed fields of a resource are those that differ, whatever is compared with it', () => {
  const before = { name: 'Ada', tags: ['a'], notes: null };
  expect(changedFields(before, { ...before, tags: ['a'], notes: 'new' })).toEqual(['notes']);
  expect(changedFields(before, { tags: ['b'], name: 'Ada' })).toEqual(['tags']);
  expect(changedFields(before, before)).toEqual([]);
});
