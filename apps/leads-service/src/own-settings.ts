import { Type } from 'typebox';
import { spoolSettings } from '@tenantry/service/files';

/** The settings of the leads service beyond those of every business service. */
export const ownSettings = {
  ...spoolSettings,
  DELETED_LEADS_RETENTION_DAYS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 90,
    description:
      'days after which a deleted lead is permanently deleted; until then it can be restored; 0 keeps it for ever',
  }),
} as const;

/** These settings, as a type. */
export type OwnSettings = typeof ownSettings;
