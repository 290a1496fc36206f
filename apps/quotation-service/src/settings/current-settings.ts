import { copiesBehind, type EventReader } from '@tenantry/service/events';
import type { Tenant } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import type { OrganizationSettings } from './organization-settings.ts';
import type { Settings } from './settings.ts';

/** Dependencies of {@link CurrentSettings}. */
export interface CurrentSettingsOptions {
  readonly reader: Pick<EventReader, 'current'>;
  readonly settings: Pick<Settings, 'find'>;
  readonly logos: Pick<Logos, 'hasten'>;
}

/**
 * The settings of organizations with everything that was changed in auth-service before. What a quote keeps is read here, never
 * before it has arrived. Call it before a transaction, which must not wait.
 */
export class CurrentSettings {
  readonly #options: CurrentSettingsOptions;

  constructor(options: CurrentSettingsOptions) {
    this.#options = options;
  }

  /** @throws UPSTREAM_UNAVAILABLE if they have not arrived */
  async read(tenant: Tenant): Promise<OrganizationSettings> {
    const { reader, settings } = this.#options;
    await reader.current(tenant.scope.organizationId);
    const found = await settings.find(tenant);
    if (!found) throw copiesBehind();
    return found;
  }

  /** For what shows the logo, which is fetched if it is not there. @throws UPSTREAM_UNAVAILABLE as {@link read} does */
  async readWithLogo(tenant: Tenant): Promise<OrganizationSettings> {
    const found = await this.read(tenant);
    await this.#options.logos.hasten(tenant, found.logo);
    return found;
  }
}
