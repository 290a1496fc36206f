import { settings } from '@tenantry/service-kit';
import { Type, type Static } from 'typebox';

/** The settings of leads-service, named as in the environment. */
export const ConfigSchema = Type.Object({
  ...settings.standardSettings,
  ...settings.databaseSettings,
  ...settings.verifierSettings,
  PORT: settings.port(3001),
});

/** The parsed, frozen configuration. */
export type Config = Readonly<Static<typeof ConfigSchema>>;
