import { parseArgs } from 'node:util';
import { ExplainedError } from '@tenantry/dev-database';

/** What a person asks of `npm start`. */
export interface StartArguments {
  fresh: boolean;
  demo: boolean;
  /** Whether changed sources restart what uses them. */
  watch: boolean;
  /** Services that a debugger can be attached to. */
  inspect: string[];
  help: boolean;
}

export const helpText = `npm start                 all services on an embedded PostgreSQL; data stays in .tenantry/
npm start -- --fresh      remove the data of .tenantry/ first and start over
npm start -- --demo       add two organizations with users and leads, and print their sign-ins
npm start -- --watch      restart a service when its sources or a library of its change
npm start -- --inspect leads-service   let a debugger attach to a service, and print its address

Environment, also read from .env:
  PORT                              the gateway's port, 8080 by default
  LEADS_SERVICE_DATABASE_URL        a PostgreSQL of your own for a service (any service, named like this);
  LEADS_SERVICE_MIGRATION_DATABASE_URL   its owner's address, for migrations
  AUTH_SECRET, REDIS_URL, SMTP_URL, LOG_LEVEL …   handed to the services as they are (see README.md)`;

/** @throws ExplainedError for an argument it does not know. */
export function readArguments(args: readonly string[]): StartArguments {
  const flag = { type: 'boolean', default: false } as const;
  const inspect = { type: 'string', multiple: true, default: [] as string[] } as const;
  try {
    const options = { fresh: flag, demo: flag, watch: flag, inspect, help: { ...flag, short: 'h' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${helpText}`);
  }
}
