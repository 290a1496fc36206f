import { ExplainedError } from '@tenantry/dev-database';
import type { ServiceDescription } from '../services.ts';

/** What a new service is called, and where it is reached. */
export interface NewServiceNames {
  /** `invoices` */
  readonly plural: string;
  /** `invoice` */
  readonly singular: string;
  /** `invoices-service` */
  readonly service: string;
  readonly port: number;
  /** `/api/invoices` */
  readonly prefix: string;
}

/**
 * Names a service after what it keeps, and takes the next free port and the prefix of that name.
 *
 * @throws ExplainedError for a name that cannot be one, and for one that is taken.
 */
export function namesFor(
  plural: string | undefined,
  services: readonly ServiceDescription[],
): NewServiceNames {
  if (plural === undefined || !/^[a-z][a-z0-9]{2,20}s$/.test(plural)) {
    throw new ExplainedError(
      'Name the service by the plural of what it keeps, in one lower-case word: npm run new-service -- invoices',
    );
  }
  const [service, prefix] = [`${plural}-service`, `/api/${plural}`];
  const taken = services.find((other) => other.name === service || other.prefix === prefix);
  if (taken) throw new ExplainedError(`${taken.name} is there already, at ${taken.prefix ?? 'no prefix'}.`);
  const inner = services.filter((other) => other.prefix !== undefined);
  return {
    plural,
    singular: singularOf(plural),
    service,
    port: Math.max(...inner.map(({ port }) => port)) + 1,
    prefix,
  };
}

const singularOf = (plural: string) => plural.replace(/ies$|s$/, (end) => (end === 'ies' ? 'y' : ''));
