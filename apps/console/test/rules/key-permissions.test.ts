import { expect, test } from 'vitest';
import { curlCommand, keyPermissions, readableList } from '../../src/access/key-permissions.ts';
import { permissionsOf } from '../support/starts.ts';

const offered = (role: keyof typeof permissionsOf) =>
  keyPermissions(permissionsOf[role]).flatMap((group) => group.permissions);

test('a key can be limited to what its role may, less what only users do', () => {
  expect(offered('member')).toEqual([
    'leads:read',
    'leads:write',
    'quotes:read',
    'quotes:write',
    'users:read',
  ]);
  expect(offered('admin').filter((name) => !offered('member').includes(name))).toEqual([
    'leads:erase',
    'customers:erase',
    'audit:read',
  ]);
});

test('a key is tried where it can read', () => {
  expect(readableList(null)).toBe('/api/leads');
  expect(readableList(['users:read', 'quotes:read'])).toBe('/api/quotation/quotes');
  expect(readableList(['leads:write'])).toBeUndefined();
  expect(curlCommand('https://a.example/api/leads', 'tak_a')).toBe(
    'curl "https://a.example/api/leads" -H "Authorization: Bearer tak_a"',
  );
});
