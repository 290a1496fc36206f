// Makes the secrets of docker-compose.yml: one random key, from which every other follows, so that a start finds what
// the one before made. Each folder under /secrets is a volume that one container alone mounts.
import { createHmac, randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const keyFile = '/root-key/key';
const images = { uid: 65_532, gid: 65_532 };

const key = existsSync(keyFile) ? readFileSync(keyFile) : newKey();
const secret = (name) => createHmac('sha256', key).update(name).digest('base64url');

const consumers = readdirSync('/secrets');
const databases = consumers
  .filter((name) => name.endsWith('-service'))
  .map((service) => ({
    service,
    prefix: service.replaceAll('-', '_').toUpperCase(),
    name: `tenantry_${service.replace(/-service$/, '').replaceAll('-', '_')}`,
  }));
const address = ({ name }, role) =>
  `postgres://${name}_${role}:${secret(`${name}_${role}`)}@postgres:5432/${name}`;
const shared = {
  REDIS_URL: `redis://:${secret('redis')}@redis:6379`,
  AUTH_SECRET: secret('auth'),
  INTERNAL_API_KEY: secret('internal'),
};
/** Which of them a service sees, beside the address of its database. */
const seenBy = {
  gateway: ['REDIS_URL'],
  'auth-service': ['REDIS_URL', 'AUTH_SECRET', 'INTERNAL_API_KEY'],
  'leads-service': ['INTERNAL_API_KEY'],
  'users-service': ['INTERNAL_API_KEY'],
  'quotation-service': ['REDIS_URL', 'INTERNAL_API_KEY'],
};

for (const consumer of consumers) write(consumer, variablesOf(consumer));
for (const directory of ['/mail', '/spool']) chownSync(directory, images.uid, images.gid);

function variablesOf(consumer) {
  switch (consumer) {
    case 'postgres':
      return { POSTGRES_PASSWORD: secret('postgres'), PGPASSWORD: secret('postgres'), ...rolePasswords() };
    case 'redis':
      return { REDIS_PASSWORD: secret('redis') };
    case 'migrate':
      return Object.fromEntries(
        databases.map((each) => [`${each.prefix}_MIGRATION_DATABASE_URL`, address(each, 'owner')]),
      );
    default: {
      const database = databases.find(({ service }) => service === consumer);
      const seen = (seenBy[consumer] ?? []).map((name) => [name, shared[name]]);
      return { ...(database && { DATABASE_URL: address(database, 'service') }), ...Object.fromEntries(seen) };
    }
  }
}

function rolePasswords() {
  const services = databases.map(({ service }) => service).join(' ');
  return {
    TENANTRY_SERVICES: `"${services}"`,
    ...Object.fromEntries(
      databases.flatMap(({ prefix, name }) => [
        [`${prefix}_OWNER_PASSWORD`, secret(`${name}_owner`)],
        [`${prefix}_RUNTIME_PASSWORD`, secret(`${name}_service`)],
      ]),
    ),
  };
}

function newKey() {
  const made = randomBytes(32);
  // Renamed into place: a crash leaves the whole key or none.
  writeFileSync(`${keyFile}.new`, made, { mode: 0o400, flush: true });
  renameSync(`${keyFile}.new`, keyFile);
  return made;
}

function write(consumer, variables) {
  const file = `/secrets/${consumer}/env`;
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  rmSync(file, { force: true });
  writeFileSync(file, lines.join(''), { mode: 0o400 });
  chownSync(file, images.uid, images.gid);
}
