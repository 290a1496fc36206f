import type { Logger } from '@tenantry/service-kit';
import type { TenantDatabase } from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import type { TProperties } from 'typebox';
import type { OpenLink } from './links.ts';
import type { NoSettings, ServiceConfig } from './service-settings.ts';
import type { ContextOf } from './context.ts';
import type { TenantOf } from './tenants.ts';

/** What the features of a service are made with. */
export interface ServiceParts<Client, Settings extends TProperties = NoSettings> {
  readonly config: ServiceConfig<Settings>;
  readonly database: TenantDatabase<Client>;
  readonly logger: Logger;
  readonly now: () => Date;
  /**
   * The rows of the caller's organization, on a route with a permission. It throws on a public route, where nobody
   * is known to call: there the organization comes from a token in a link, by `openLink`.
   */
  readonly tenantOf: TenantOf<Client>;
  /** Those rows, with who calls and when: what a use case that changes something takes. */
  readonly contextOf: ContextOf<Client>;
  readonly openLink: OpenLink<Client>;
  /**
   * Whether a request with an Idempotency-Key has been answered: what is done before its transaction, such as asking another
   * service, then need not be done again.
   */
  readonly isAnswered: (request: FastifyRequest) => Promise<boolean>;
}
