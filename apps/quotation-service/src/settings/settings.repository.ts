import { statement, type Rows, type Transaction } from '../database.ts';
import type { OrganizationSettings } from './organization-settings.ts';

const settingsOfOrganization = statement({
  name: 'settings-of-organization',
  text: `
    SELECT s.name, s.currency, s.vat_rate::float8 AS "vatRate", s.number_prefix AS "numberPrefix",
      s.time_zone AS "timeZone", s.address, s.vat_number AS "vatNumber", s.logo_digest AS logo
    FROM organization_settings s WHERE s.organization_id = $1`,
});

const saveSettings = statement({
  name: 'settings-save',
  text: `
    INSERT INTO organization_settings (organization_id, name, currency, vat_rate, number_prefix, time_zone, address,
      vat_number, logo_digest)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (organization_id) DO UPDATE SET name = excluded.name, currency = excluded.currency,
      vat_rate = excluded.vat_rate, number_prefix = excluded.number_prefix, time_zone = excluded.time_zone,
      address = excluded.address, vat_number = excluded.vat_number,
      logo_digest = excluded.logo_digest`,
});

const removeSettings = statement({
  name: 'settings-remove',
  text: 'DELETE FROM organization_settings WHERE organization_id = $1',
});

/** Stores the settings of organizations. */
export class SettingsRepository {
  async find(rows: Rows): Promise<OrganizationSettings | undefined> {
    const [found] = await rows.query(settingsOfOrganization, []);
    if (!found) return undefined;
    const { logo, ...settings } = found;
    return { ...settings, ...(logo !== null && { logo }) };
  }

  async save(
    tx: Transaction,
    { name, currency, vatRate, numberPrefix, timeZone, address, vatNumber, logo }: OrganizationSettings,
  ): Promise<void> {
    const seller = [timeZone, address, vatNumber, logo ?? null] as const;
    tx.send(saveSettings, [name, currency, vatRate, numberPrefix, ...seller]);
  }

  async remove(tx: Transaction): Promise<void> {
    tx.send(removeSettings, []);
  }
}
