import { statement } from '@tenantry/tenancy';
import type { Rows } from '../database.ts';
import type { OrganizationSettings } from './settings.ts';

/** What organizations have decided. */
export interface SettingsRepository {
  find(rows: Rows): Promise<OrganizationSettings | undefined>;
}

const settingsOfOrganization = statement<OrganizationSettings>({
  name: 'settings-of-organization',
  text: `
    SELECT name, currency, vat_rate::float8 AS "vatRate", number_prefix AS "numberPrefix", time_zone AS "timeZone",
      address, vat_number AS "vatNumber"
    FROM organization_settings WHERE organization_id = $1`,
});

/** Settings in PostgreSQL. */
export function createSettingsRepository(): SettingsRepository {
  return {
    async find(rows) {
      const [settings] = await rows.query(settingsOfOrganization, []);
      return settings;
    },
  };
}
