import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import {
  lawfulRequest,
  wireRequest,
  type LawfulRequest,
  type PreparedRequests,
} from './matrix/lawful-requests.ts';
import { isUnsafe, nameOf, readOperations, type Operation } from './matrix/operations.ts';
import { Api, newEmail, type Person } from './matrix/people.ts';
import { servicesAt } from './matrix/services.ts';
import { entriesSince, ownTrail, trailOf, type Trail, type TrailEntry } from './matrix/trails.ts';
import { send } from './matrix/wire.ts';

const begins = 'begins what is recorded once it is done';
const mails = 'mails a link, which changes something once it is opened';
const continues = 'continues a session, whose start is recorded';

/** Operations that leave no entry, and why. */
const withoutEntry: Readonly<Record<string, string>> = {
  'POST /api/auth/refresh': continues,
  'POST /api/auth/organization/switch': continues,
  'POST /api/auth/sign-in/mailed': begins,
  'POST /api/auth/sign-in/social': begins,
  'POST /api/auth/sign-in/passkey/options': begins,
  'POST /api/auth/passkeys/options': begins,
  'POST /api/auth/identities/link': begins,
  'POST /api/auth/two-factor/enable': begins,
  'POST /api/auth/two-factor/passkey/options': begins,
  'POST /api/auth/password/forgot': mails,
  'POST /api/auth/email/resend': mails,
  'POST /api/auth/email/change': mails,
  'POST /api/auth/sign-in/sso': begins,
  'POST /api/auth/organization/{organizationId}/connections/{connectionId}/link': begins,
  'POST /api/auth/organization/{organizationId}/connections/{connectionId}/test': 'reads what others say',
  'PUT /api/auth/organization/{organizationId}/sso-requirement':
    'requires what it did before: only who has just signed in by a connection may change it',
  'POST /api/leads/import/read': 'keeps nothing of a file',
  'POST /api/quotation/customers/import/read': 'keeps nothing of a file',
  'POST /api/auth/service-token': 'changes nothing: the key says when it was used last',
};

/** What starts sessions that are confined to an organization: they do not read the trail of the account. */
const startsConfined: ReadonlySet<string> = new Set(['POST /api/auth/sign-in/sso/ticket']);

const erased = 'erases it, and its name with it';
const closed = 'closes the invitation, whose address is not kept';

/** Targets without a name, by their type or by what was done, and why. */
const withoutName: Readonly<Record<string, string>> = {
  session: 'has none',
  organization: 'is the one whose trail it is',
  passkey: 'has one for its user alone',
  identity: 'is known by its provider, which the details name',
  'invitation.revoked': closed,
  'invitation.accepted': closed,
  'invitation.rejected': closed,
  'user.erased': erased,
  'lead.erased': erased,
  'customer.erased': erased,
};

/** Requests in place of the matrix's, of which no trail that somebody can read would tell. */
const otherwise: PreparedRequests = {
  // The matrix deletes somebody's organization with its only member.
  'DELETE /api/auth/user': async ({ join }) => {
    const by = await join('member');
    return { by, body: { password: by.password } };
  },
  // The matrix names addresses that have no account.
  'POST /api/auth/password/forgot': ({ owner }) => ({ about: owner, body: { email: owner.email } }),
  'POST /api/auth/sign-in/mailed': ({ owner }) => ({ about: owner, body: { email: owner.email } }),
  'POST /api/auth/email/resend': async (tenant) => {
    const about = await tenant.api.signUp({ email: newEmail() });
    return { about, body: { email: about.email } };
  },
};

const services = servicesAt(inject('whereabouts'));
const [api, operations] = await Promise.all([Api.of(services), readOperations(services)]);
const ours = await api.newTenant();
const writing = operations.filter(isUnsafe);
const actionOf = ({ action }: TrailEntry): string => action;
const ownActions = operations.find((operation) => nameOf(operation) === 'GET /api/auth/audit')?.query[
  'action'
];
const isOwn = (action: string) => ownActions?.enum?.includes(action) === true;

/** What a response may say about the caller and the result. */
interface ResponseBody {
  readonly user?: { readonly id: string; readonly email: string };
  readonly session?: Person['session'];
  readonly organization?: { readonly id: string };
  /** Where a first proof has dropped the password: sets the next one. */
  readonly resetToken?: string;
}

/** Who acted: the caller, and without one the user whom the response or the request is about. */
function actorOf({ access }: Operation, { by, about, body }: LawfulRequest, { user }: ResponseBody) {
  if (access !== 'public' || !user) return by ?? about;
  const { id, email } = user;
  return { ...ours.owner, id, email, password: String(body?.['password']) };
}

interface OwnSession {
  readonly user: { readonly id: string; readonly name: string };
  readonly organization: { readonly id: string } | null;
}

/** Somebody whose session is alive, and what they are called. */
interface Reached extends Person {
  readonly name: string;
}

async function withName(person: Person): Promise<Reached | undefined> {
  const { user, organization } = await api
    .call<OwnSession>('GET /api/auth/session', undefined, person)
    .catch((): Partial<OwnSession> => ({}));
  if (user?.id !== person.id) return undefined;
  return { ...person, name: user.name, organizationId: organization?.id ?? '' };
}

/** Somebody after their request; undefined where the account no longer exists. */
async function reach(person: Person, { body }: LawfulRequest, { session, resetToken }: ResponseBody) {
  const continued = session?.token === undefined ? person : { ...person, session };
  const found = (await withName(continued)) ?? (await withName(person));
  if (found) return found;
  const { newPassword: password = person.password } = (body ?? {}) as { newPassword?: string };
  if (resetToken !== undefined) {
    await api.call('POST /api/auth/password/reset', { token: resetToken, newPassword: password });
  }
  const again = await api.signIn({ ...person, password }).catch(() => undefined);
  return again && withName(again);
}

/** Makes the request of an operation. @returns who acted, and all that their trails have recorded since */
async function act(operation: Operation) {
  const request = await (otherwise[nameOf(operation)]?.(ours) ?? lawfulRequest(operation, ours));
  // Moments in a trail are of a millisecond.
  await sleep(2);
  const from = new Date();
  const answer = await send(services.urlOf(operation.service), wireRequest(operation, request));
  expect(answer.status, answer.text).toBeLessThan(300);
  const responseBody = (answer.text.startsWith('{') ? JSON.parse(answer.text) : {}) as ResponseBody;
  const actor = actorOf(operation, request, responseBody);
  const alive = actor && (await reach(actor, request, responseBody));
  await restoreDeleted(operation, request);

  // Reading may need another password, another sign-in, and an organization that was restored.
  const isOfReading = ({ action, target }: TrailEntry) =>
    action === 'organization.restored' ||
    (action === 'password.reset' && responseBody.resetToken !== undefined) ||
    (action === 'session.started' &&
      target?.id === alive?.session.id &&
      target?.id !== responseBody.session?.id);
  const read = async (trail: Trail) =>
    (await entriesSince(api, from, trail)).filter((entry) => !isOfReading(entry));
  const trails = trailsOf(operation, { request, responseBody, alive });
  const entries = (await Promise.all(trails.map(read))).flat();
  const readsOwn = alive && !startsConfined.has(nameOf(operation));
  const own = readsOwn ? await read(ownTrail(alive)) : undefined;
  return { actor, name: alive?.name ?? null, entries, own };
}

/** The trail of a deleted organization can be read once it is restored. */
async function restoreDeleted(operation: Operation, { path }: LawfulRequest): Promise<void> {
  if (nameOf(operation) !== 'DELETE /api/auth/organization/{organizationId}') return;
  const { status } = await send(services.urlOf('auth-service'), {
    method: 'POST',
    path: `/internal/organizations/${path?.['organizationId'] ?? ''}/restore`,
    headers: { authorization: `Bearer ${services.internalApiKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(status).toBe(200);
}

/** Ours, that of the actor, and that of the organization which a request or its answer names. */
function trailsOf(
  operation: Operation,
  {
    request,
    responseBody,
    alive,
  }: { request: LawfulRequest; responseBody: ResponseBody; alive: Person | undefined },
): Trail[] {
  const { organizationId } = ours;
  const named = request.path?.['organizationId'] ?? responseBody.organization?.id ?? organizationId;
  const places = [
    { organizationId, reader: ours.owner },
    { organizationId: named, reader: ours.owner },
    ...(alive && alive.organizationId !== ''
      ? [{ organizationId: alive.organizationId, reader: alive }]
      : []),
  ];
  const distinct = new Map(places.reverse().map((place) => [place.organizationId, place]));
  return [...distinct.values()].map((place) => trailOf(operation, { api, operations, ...place }));
}

describe('an operation that writes [S-181]', () => {
  it('is listed as an exception only while there is one of its name', () => {
    const recorded = operations.flatMap(({ query }) => query['action']?.enum ?? []);
    const types = ['session', 'organization', 'passkey', 'identity'];
    const names = new Set([...writing.map(nameOf), ...recorded, ...types]);
    const listed = [withoutEntry, withoutName, otherwise].flatMap((rows) => Object.keys(rows));
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
  });

  const named = writing.map((operation) => [nameOf(operation), operation] as const);

  it.each(named.filter(([name]) => !(name in withoutEntry)))(
    'leaves an entry that names who did it, and what it was done to: %s',
    async (operationName, operation) => {
      const { actor, name, entries, own } = await act(operation);
      expect(entries, `${operationName} leaves none: record one, or give the reason here`).not.toEqual([]);
      for (const entry of [...entries, ...(own ?? [])]) {
        const { action, actor: by, target } = entry;
        expect(by).toEqual(actor ? { kind: 'user', userId: actor.id, name } : null);
        if (!target) continue;
        // One's own trail does not say what one is called.
        const isReader = own?.includes(entry) === true && target.id === actor?.id;
        const isNameless = isReader || action in withoutName || target.type in withoutName;
        expect(target.name).toEqual(isNameless ? null : expect.stringMatching(/./));
      }
      const ofAccount = entries.filter(({ action, target }) => isOwn(action) && target?.type !== 'user');
      if (own) expect(own.map(actionOf)).toEqual(expect.arrayContaining(ofAccount.map(actionOf)));
    },
  );

  it.each(named.filter(([name]) => name in withoutEntry))(
    'leaves none, where there is a reason: %s',
    async (_, operation) => {
      const { entries, own = [] } = await act(operation);
      expect([...entries, ...own]).toEqual([]);
    },
  );
});
