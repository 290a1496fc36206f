import { describe, expect, it } from 'vitest';
import { permissions } from '@tenantry/contracts';

describe('the permissions of members', () => {
  it('grow from member to admin to owner', () => {
    expect(permissions.admin.slice(0, permissions.member.length)).toEqual(permissions.member);
    expect(permissions.owner.slice(0, permissions.admin.length)).toEqual(permissions.admin);
    expect(new Set(permissions.owner).size).toBe(permissions.owner.length);
  });

  it('are, beyond those of every member, these', () => {
    expect(permissions.admin.slice(permissions.member.length)).toEqual([
      'leads:erase',
      'customers:erase',
      'users:write',
      'users:delete',
      'members:write',
      'invitations:read',
      'invitations:write',
      'organization:update',
      'audit:read',
      'service-accounts:read',
      'service-accounts:write',
      'domains:read',
    ]);
    expect(permissions.owner.slice(permissions.admin.length)).toEqual([
      'users:disable',
      'organization:delete',
      'organization:export',
      'owners:write',
      'domains:write',
      'connections:write',
    ]);
  });

  it('of every member are to read and write what the organization works with, and to read who is in it', () => {
    const administered = ['users', 'organization', 'members'];
    for (const permission of permissions.member) {
      const [resource = '', action] = permission.split(':');
      expect(administered.includes(resource) ? ['read'] : ['read', 'write']).toContain(action);
    }
  });
});
