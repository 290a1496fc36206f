import { Type } from 'typebox';

/** A PostgreSQL connection string; it carries a password and is never shown. */
export const databaseUrl = (description: string) =>
  Type.String({
    pattern: '^postgres(ql)?://',
    messages: { pattern: 'must begin with postgres://' },
    description,
  });

/** The settings of a service with a database of its own. */
export const databaseSettings = {
  DATABASE_URL: databaseUrl("PostgreSQL connection string of the service's database, as its runtime role"),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 10,
    description: 'maximum database connections',
  }),
  TENANT_BINDING: Type.Enum(['connection', 'transaction'], {
    default: 'connection',
    description:
      'how long a database connection stays bound to an organization; use transaction behind a pooler in transaction mode',
  }),
} as const;

/** The replica for a service's lists. */
export const replicaSettings = {
  DATABASE_REPLICA_URL: Type.Optional(
    databaseUrl(
      'PostgreSQL connection string of one or more read replicas, as the same role; lists, searches and statistics are read there',
    ),
  ),
} as const;

/** The address for a service that listens for notifications. */
export const listenerSettings = {
  DATABASE_DIRECT_URL: Type.Optional(
    databaseUrl(
      'PostgreSQL connection string for notifications, bypassing a pooler in transaction mode; by default DATABASE_URL',
    ),
  ),
} as const;
