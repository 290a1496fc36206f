import type { Organization, PostalAddress } from '@tenantry/service/events';
import type { Rows, Transaction } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import type { SettingsRepository } from './settings.repository.ts';
import { isTimeZone } from '../wording/time-zone.ts';
import type { OrganizationSettings } from './organization-settings.ts';
import { countryName } from '../wording/countries.ts';

export interface SettingsOptions {
  readonly defaultCurrency: string;
  readonly logos: Pick<Logos, 'expect'>;
}

/** The settings of organizations. */
export class Settings {
  readonly #repository: SettingsRepository;
  readonly #options: SettingsOptions;

  constructor(repository: SettingsRepository, options: SettingsOptions) {
    this.#repository = repository;
    this.#options = options;
  }

  /** Stores the settings of an organization from an event. */
  async keep(tx: Transaction, organization: Organization): Promise<void> {
    await this.#repository.save(tx, settingsOf(organization));
    await this.#options.logos.expect(tx, organization.logo ?? undefined);
  }

  async forget(tx: Transaction): Promise<void> {
    await this.#repository.remove(tx);
    await this.#options.logos.expect(tx, undefined);
  }

  /** The settings of the organization, if it is known: those that have arrived. {@link CurrentSettings} has the current ones. */
  find(rows: Rows): Promise<OrganizationSettings | undefined> {
    return this.#repository.find(rows);
  }

  /** What is shown of the organization where a quote does not say it, as one does that was sent; defaults until it is known. */
  async shown(rows: Rows): Promise<OrganizationSettings> {
    return (await this.#repository.find(rows)) ?? usualSettings(this.#options.defaultCurrency);
  }
}

const usualSettings = (currency: string): OrganizationSettings => ({
  name: '',
  currency,
  vatRate: 25,
  numberPrefix: 'Q',
  timeZone: 'UTC',
  address: '',
  vatNumber: '',
});

/** The settings that quotes use. Earlier versions of auth-service send neither address nor time zone. */
function settingsOf({ name, settings, logo }: Organization): OrganizationSettings {
  const { defaultCurrency: currency, vatRate, quoteNumberPrefix: numberPrefix } = settings;
  const { timeZone = 'UTC', address = null, vatNumber } = settings;
  return {
    name,
    currency,
    vatRate,
    numberPrefix,
    // auth-service may know a zone that this runtime does not.
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
    address: addressText(address),
    vatNumber: vatNumber ?? '',
    ...(typeof logo === 'string' && { logo }),
  };
}

/** The lines of an address on a document; the country last, by its English name. */
function addressText(address: PostalAddress | null): string {
  if (!address) return '';
  const { lines, postalCode, city, country } = address;
  return [...lines, `${postalCode} ${city}`.trim(), countryName(country)].join('\n');
}
