import { settings } from '@tenantry/service-kit';
import type { Static, TObject, TProperties } from 'typebox';

/** The settings of a service that has none of its own. */
// oxlint-disable-next-line typescript/no-empty-object-type -- an index signature would allow every name
export type NoSettings = {};

/** What every business service reads beside its port. */
export const standardSettings = {
  ...settings.standardSettings,
  ...settings.databaseSettings,
  ...settings.replicaSettings,
  ...settings.verifierSettings,
};
type StandardSettings = typeof standardSettings & { PORT: ReturnType<typeof settings.port> };
/** What a service reads that keeps an audit trail. */
type AuditSettings = typeof settings.auditSettings;

/** The parsed, frozen configuration of a service with these settings of its own. */
export type ServiceConfig<Settings extends TProperties = NoSettings> = Readonly<
  Static<TObject<StandardSettings>> & Partial<Static<TObject<AuditSettings>>> & Static<TObject<Settings>>
>;
