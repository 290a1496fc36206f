import { join } from 'node:path';
import { connected, databaseNames, runningPostgres, withDatabase } from '@tenantry/dev-database';
import type { Person } from './people.ts';
import type { Whereabouts } from './services.ts';

/** Operations of auth-service that a session reaches which is confined to an organization, without a permission there. */
const ofEveryOrganization: readonly string[] = [
  'getSession',
  'listOrganizations',
  'switchOrganization',
  'listPermissions',
];

/** Those that need a sign-in or a second factor of the user's own besides: a role of a service account is raised. */
const ofOneself: readonly string[] = ['deleteOrganization', 'createApiKey', 'updateServiceAccount'];

/** Whether a session of the right role reaches an operation that is confined to its organization. */
export function isReachedConfined({
  service,
  operationId,
  access,
}: {
  readonly service: string;
  readonly operationId: string;
  readonly access: string;
}): boolean {
  if (service !== 'auth-service') return true;
  // What leads into an organization is for owners who have signed in themselves.
  if (/^(?:domains|connections):/.test(access)) return false;
  return access === 'signed-in'
    ? ofEveryOrganization.includes(operationId)
    : !ofOneself.includes(operationId);
}

/** Does something while the session of a person is confined to its organization, as those are that a connection starts. */
export async function whileConfined<Result>(
  { directory }: Whereabouts,
  { session }: Person,
  work: () => Promise<Result>,
): Promise<Result> {
  const postgres = await runningPostgres(join(directory, 'postgres'));
  const url = withDatabase(postgres?.adminUrl ?? '', databaseNames('auth-service').database);
  return connected(url, async (client) => {
    const confine = (to: string, connection: string) =>
      client.query(`UPDATE sessions SET confined_to = ${to}, connection_id = ${connection} WHERE id = $1`, [
        session.id,
      ]);
    await confine('active_organization_id', 'gen_random_uuid()');
    try {
      return await work();
    } finally {
      await confine('NULL', 'NULL');
    }
  });
}
