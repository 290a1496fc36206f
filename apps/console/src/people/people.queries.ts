import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import type { api, Page, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useReload, useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';
import type { Role, Viewer } from './abilities.ts';

/** Somebody who belongs to the organization. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly disabled: boolean;
  /** When they became a member. */
  readonly since: string;
}

/** The reader, for what they may do with others. */
export function useViewer(): Viewer {
  const { user, permissions, session } = useSignedIn();
  return { id: user.id, permissions, isConfined: session.confinedTo !== undefined };
}

/** A person, and the version that a change is of. */
export interface VersionedPerson {
  readonly person: Person;
  readonly etag: string | undefined;
}

const include: readonly ('disabled' | 'role')[] = ['disabled', 'role'];
const shown = () => ({ include: [...include] });

function personOf({ id, email, firstName, lastName, createdAt, ...user }: api.User): Person {
  const name = [firstName, lastName].filter((part) => part !== '').join(' ');
  const { role = 'member', disabled = false } = user;
  return { id, email, name, firstName, lastName, role, disabled, since: createdAt };
}

const peopleQuery = (tenantry: Tenantry, scope: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [scope, 'people', 'list', search],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        page: pageParam,
        pageSize: 50,
        sort: 'name' as const,
        ...shown(),
        ...(search && { search }),
      };
      const { data } = await tenantry.listUsers({ query, signal });
      return { ...data, rows: data.rows.map(personOf) };
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }) => (page * pageSize < total ? page + 1 : undefined),
    placeholderData: (previous) => previous,
  });

/** The people whose name or address has a text, by name. */
export function usePeople(search: string) {
  return useInfiniteQuery(peopleQuery(useTenantry(), useScope(), search));
}

const personQuery = (tenantry: Tenantry, scope: string, id: string) =>
  queryOptions({
    queryKey: [scope, 'people', 'one', id],
    queryFn: async ({ signal }): Promise<VersionedPerson> => {
      const { data, etag } = await tenantry.getUser({ path: { id }, query: shown(), signal });
      return { person: personOf(data), etag };
    },
  });

/** One of them, as they are now; at first as the list has them. */
export function usePerson(person: Person) {
  const query = personQuery(useTenantry(), useScope(), person.id);
  return useQuery({ ...query, placeholderData: { person, etag: undefined } });
}

/**
 * Shows a change immediately. The directory gets changes of auth-service a moment later: until then a read would return the
 * former state.
 */
function useShow() {
  const [queries, scope] = [useQueryClient(), useScope()];
  return (id: string, change: Partial<Person>) => {
    queries.setQueriesData<InfiniteData<Page<Person>>>({ queryKey: [scope, 'people', 'list'] }, (data) => {
      if (!data) return data;
      const changed = (row: Person) => (row.id === id ? { ...row, ...change } : row);
      return { ...data, pages: data.pages.map((page) => ({ ...page, rows: page.rows.map(changed) })) };
    });
    queries.setQueryData<VersionedPerson>([scope, 'people', 'one', id], (data) =>
      data ? { ...data, person: { ...data.person, ...change } } : data,
    );
  };
}

function useForget() {
  const [queries, scope] = [useQueryClient(), useScope()];
  return () => queries.invalidateQueries({ queryKey: [scope, 'people'] });
}

/** Changes a name, unless it was changed meanwhile. */
export function useRename({ id }: Person, etag: string | undefined) {
  const [tenantry, forget] = [useTenantry(), useForget()];
  return useMutation({
    mutationFn: async (body: api.UserChanges) => {
      await tenantry.patchUser({ path: { id }, body, ifMatch: etag });
    },
    onSettled: () => forget(),
  });
}

/** Gives somebody another role. */
export function useChangeRole({ id: userId }: Person) {
  const [tenantry, organizationId, show] = [useTenantry(), useScope(), useShow()];
  return useMutation({
    mutationFn: async (role: Role): Promise<Role> => {
      const { data } = await tenantry.changeMemberRole({ path: { organizationId, userId }, body: { role } });
      show(userId, { role: data.member.role });
      return data.member.role;
    },
  });
}

/** Makes somebody else an owner, and oneself an admin. */
export function useTransferOwnership({ id: userId }: Person) {
  const [tenantry, organizationId, show, reload] = [useTenantry(), useScope(), useShow(), useReload()];
  const { user } = useSignedIn();
  return useMutation({
    mutationFn: async () => {
      const change = (id: string, role: Role) =>
        tenantry.changeMemberRole({ path: { organizationId, userId: id }, body: { role } });
      await change(userId, 'owner');
      show(userId, { role: 'owner' });
      await change(user.id, 'admin');
      show(user.id, { role: 'admin' });
      await reload();
    },
  });
}

/** Disables or enables an account. */
export function useDisabling({ id: userId }: Person) {
  const [tenantry, organizationId, show] = [useTenantry(), useScope(), useShow()];
  return useMutation({
    mutationFn: async (isToBeDisabled: boolean) => {
      const path = { organizationId, userId };
      const { data } = await (isToBeDisabled
        ? tenantry.disableMember({ path })
        : tenantry.enableMember({ path }));
      show(userId, { disabled: data.member.disabled });
    },
  });
}

/** Turns two-factor authentication off for somebody who has lost it. */
export function useResetTwoFactor({ id: userId }: Person) {
  const [tenantry, organizationId] = [useTenantry(), useScope()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.resetMemberTwoFactor({ path: { organizationId, userId } });
    },
  });
}

/** Ends a membership, and the account if the organization created it. */
export function useRemovePerson({ id }: Person) {
  const [tenantry, forget] = [useTenantry(), useForget()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteUser({ path: { id } });
    },
    onSuccess: () => void forget(),
  });
}

/** Ends the user's own membership, and continues in another organization. */
export function useLeave() {
  const [tenantry, organizationId, reload] = [useTenantry(), useScope(), useReload()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.leaveOrganization({ path: { organizationId } });
      await reload();
    },
  });
}

/** Creates an account that can sign in immediately. */
export function useCreatePerson() {
  const [tenantry, forget] = [useTenantry(), useForget()];
  return useMutation({
    mutationFn: async (body: api.NewUserWritable): Promise<string> => {
      const { data } = await tenantry.createUser({ body });
      return data.email;
    },
    onSuccess: () => void forget(),
  });
}
