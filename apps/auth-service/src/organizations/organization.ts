import type { OrganizationSettings } from './organization-settings.ts';

/** A tenant. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** ISO 8601 text. */
  readonly createdAt: string;
}

/** A tenant with its settings. */
export interface OrganizationProfile extends Organization {
  readonly settings: OrganizationSettings;
  /** SHA-256 of its logo, hexadecimal; null without one. */
  readonly logo: string | null;
}
