import { Audit, auditRoutes } from '@tenantry/service/audit';
import { defineBusinessService, usageRoutes } from '@tenantry/service/business';
import { EventReader } from '@tenantry/service/events';
import { peerSettings } from '@tenantry/service/peers';
import { settings } from '@tenantry/service/settings';
import { fieldNotesArchive } from './archive/field-notes-archive.repository.ts';
import { fieldNoteActions } from './field-notes/field-note-actions.ts';
import { FieldNoteRepository } from './field-notes/field-notes.repository.ts';
import { fieldNotesRoutes } from './field-notes/field-notes.routes.ts';
import { FieldNotes } from './field-notes/field-notes.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { OrganizationRepository } from './organizations/organizations.repository.ts';
import { createSendingFeature } from './sending/sending-feature.ts';
import { sendingRoutes } from './sending/sending.routes.ts';

/** The field notes of an organization. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry field notes',
  models: Prisma,
  archive: fieldNotesArchive,
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: { ...peerSettings, ...settings.listenerSettings, ...settings.mailSettings },
  features: (parts) => {
    const { config, database, logger } = parts;
    const audit = new Audit({ actions: fieldNoteActions });
    const repository = new FieldNoteRepository();
    const organizations = new OrganizationRepository();
    const fieldNotes = new FieldNotes({ repository, organizations, audit });
    const projection = { organization: organizations, people: audit };
    const reader = new EventReader({ config, database, logger, projection });
    const { sending, mail } = createSendingFeature({ config, database, logger, fieldNotes, audit });
    return {
      routes: [
        (app) => fieldNotesRoutes(app, { ...parts, fieldNotes }),
        (app) =>
          usageRoutes(app, {
            ...parts,
            prefix: '/api/field-notes',
            name: 'FieldNotes',
            access: 'leads:read',
          }),
        (app) => sendingRoutes(app, { ...parts, sending }),
        (app) => auditRoutes(app, { ...parts, audit, prefix: '/api/field-notes', name: 'FieldNote' }),
      ],
      background: [reader, mail],
    };
  },
});
