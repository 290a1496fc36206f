import type { Organization } from '@tenantry/business-service';
import type { Projection, Rows } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { addressText } from './postal-address.ts';
import type { SettingsRepository } from './settings.repository.ts';
import { isTimeZone } from './time-zone.ts';
import type { OrganizationSettings } from './organization-settings.ts';

/** Reading what organizations have decided. */
export interface Settings {
  /** Keeps the settings of organizations as auth-service tells them. */
  readonly projection: Pick<Projection, 'organization'>;
  /** The settings of the organization whose rows are given; the usual ones until it is known. */
  current(rows: Rows): Promise<OrganizationSettings>;
  /** Whether an event about the organization has arrived. */
  isKnown(rows: Rows): Promise<boolean>;
}

/** What reading settings needs. */
export interface SettingsOptions {
  readonly defaultCurrency: string;
  readonly logos: Pick<Logos, 'expect'>;
}

export function createSettings(
  repository: SettingsRepository,
  { defaultCurrency, logos }: SettingsOptions,
): Settings {
  const unknown: OrganizationSettings = {
    name: '',
    currency: defaultCurrency,
    vatRate: 25,
    numberPrefix: 'Q',
    timeZone: 'UTC',
    address: '',
    vatNumber: '',
  };
  return {
    projection: {
      organization: {
        async keep(tx, organization) {
          await repository.save(tx, settingsOf(organization));
          await logos.expect(tx, organization.logo ?? undefined);
        },
        async forget(tx) {
          await repository.remove(tx);
          await logos.expect(tx, undefined);
        },
      },
    },

    isKnown: (rows) => repository.exist(rows),
    current: async (rows) => (await repository.find(rows)) ?? unknown,
  };
}

/** What quotes need of an organization. Earlier versions of auth-service say nothing of where and in which time it is. */
function settingsOf({ name, settings, logo }: Organization): OrganizationSettings {
  const { defaultCurrency: currency, vatRate, quoteNumberPrefix: numberPrefix } = settings;
  const { timeZone = 'UTC', address = null, vatNumber } = settings;
  return {
    ...{ name, currency, vatRate, numberPrefix },
    // auth-service may know a zone that this runtime does not.
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
    address: addressText(address),
    vatNumber: vatNumber ?? '',
    ...(typeof logo === 'string' && { logo }),
  };
}
