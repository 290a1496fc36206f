import { statement } from '@tenantry/tenancy';
import type { Rows, Transaction } from '../database.ts';
import type { OrganizationSettings } from './organization-settings.ts';

/** What organizations have decided. */
export interface SettingsRepository {
  find(rows: Rows): Promise<OrganizationSettings | undefined>;
  save(tx: Transaction, settings: OrganizationSettings): Promise<void>;
  remove(tx: Transaction): Promise<void>;
}

const settingsOfOrganization = statement<OrganizationSettings>({
  name: 'settings-of-organization',
  text: `
    SELECT name, currency, vat_rate::float8 AS "vatRate", number_prefix AS "numberPrefix", time_zone AS "timeZone",
      address, vat_number AS "vatNumber"
    FROM organization_settings WHERE organization_id = $1`,
});

const saveSettings = statement<
  never,
  [
    name: string,
    currency: string,
    vatRate: number,
    numberPrefix: string,
    timeZone: string,
    address: string,
    vatNumber: string,
  ]
>({
  name: 'settings-save',
  text: `
    INSERT INTO organization_settings (organization_id, name, currency, vat_rate, number_prefix, time_zone, address,
      vat_number)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (organization_id) DO UPDATE SET name = excluded.name, currency = excluded.currency,
      vat_rate = excluded.vat_rate, number_prefix = excluded.number_prefix, time_zone = excluded.time_zone,
      address = excluded.address, vat_number = excluded.vat_number`,
});

const removeSettings = statement({
  name: 'settings-remove',
  text: 'DELETE FROM organization_settings WHERE organization_id = $1',
});

/** Settings in PostgreSQL. */
export function createSettingsRepository(): SettingsRepository {
  return {
    async find(rows) {
      const [settings] = await rows.query(settingsOfOrganization, []);
      return settings;
    },

    async save(tx, { name, currency, vatRate, numberPrefix, timeZone, address, vatNumber }) {
      const seller = [timeZone, address, vatNumber] as const;
      await tx.query(saveSettings, [name, currency, vatRate, numberPrefix, ...seller]);
    },

    async remove(tx) {
      await tx.query(removeSettings, []);
    },
  };
}
