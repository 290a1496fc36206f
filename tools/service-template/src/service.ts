import { defineBusinessService, EventReader, peerSettings, usageRoutes } from '@tenantry/business-service';
import { Audit, auditRoutes } from '@tenantry/business-service'; //#with audit
import { settings } from '@tenantry/service-kit'; //#with mail
import { fieldNoteActions } from './field-notes/field-note-actions.ts'; //#with audit
import { FieldNoteRepository } from './field-notes/field-notes.repository.ts';
import { fieldNotesRoutes } from './field-notes/field-notes.routes.ts';
import { FieldNotes } from './field-notes/field-notes.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { OrganizationRepository } from './organizations/organizations.repository.ts'; //#with events
import { createSendingFeature } from './sending/sending-feature.ts'; //#with mail
import { sendingRoutes } from './sending/sending.routes.ts'; //#with mail

/** The field notes of an organization. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry field notes',
  models: Prisma,
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: peerSettings, //#with !mail
  settings: { ...peerSettings, ...settings.listenerSettings, ...settings.mailSettings }, //#with mail
  features: (parts) => {
    const { config, database, logger } = parts;
    const audit = new Audit({ actions: fieldNoteActions }); //#with audit
    const repository = new FieldNoteRepository();
    const organizations = new OrganizationRepository(); //#with events
    const fieldNotes = new FieldNotes({ repository/*#events , organizations*//*#audit , audit*/ });
    const projection = { organization: organizations }; //#with events&!audit
    const projection = { people: audit }; //#with audit&!events
    const projection = { organization: organizations, people: audit }; //#with events&audit
    const reader = new EventReader({ config, database, logger/*#events|audit , projection*/ });
    //#with mail
    const { sending, mail } = createSendingFeature({ config, database, logger, fieldNotes/*#audit , audit*/ });
    //#end
    return {
      routes: [
        (app) => fieldNotesRoutes(app, { ...parts, fieldNotes }),
        (app) =>
          usageRoutes(app, { ...parts, prefix: '/api/field-notes', name: 'FieldNotes', access: 'field-notes:read' }),
        (app) => sendingRoutes(app, { ...parts, sending }), //#with mail
        (app) => auditRoutes(app, { ...parts, audit, prefix: '/api/field-notes', name: 'FieldNote' }), //#with audit
      ],
      background: [reader/*#mail , mail*/],
    };
  },
});
