import type { Static, TObject, TProperties } from 'typebox';
import * as settings from '../settings/settings.ts';

/** What every service with a database reads beside its port. */
export const standardSettings = { ...settings.standardSettings, ...settings.databaseSettings };

/** The parsed, frozen configuration that every service has. */
export type StandardConfig = Readonly<
  Static<TObject<typeof standardSettings & { PORT: ReturnType<typeof settings.port> }>>
>;

/** The same with settings of its own. */
export type ServiceConfig<Settings extends TProperties> = StandardConfig &
  Readonly<Static<TObject<Settings>>>;

/** The same with what some services read, and what means the same in each of them. */
export interface KnownConfig extends StandardConfig {
  readonly DATABASE_REPLICA_URL?: string;
  readonly INTERNAL_PORT?: number;
  readonly INTERNAL_API_KEY?: readonly string[];
}
