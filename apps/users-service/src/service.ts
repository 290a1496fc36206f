import { Room, defineBusinessService, suggestionsRoutes, usageRoutes } from '@tenantry/service/business';
import { EventReader } from '@tenantry/service/events';
import { peerSettings } from '@tenantry/service/peers';
import { Accounts } from './accounts/accounts.ts';
import { usersArchive } from './archive/users-archive.repository.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { createDirectoryOf } from './users/directory.http.ts';
import { UserRepository, userSuggestions } from './users/users.repository.ts';
import { Renamings } from './users/renamings.ts';
import { usersRoutes } from './users/users.routes.ts';
import { Users } from './users/users.ts';

/** The directory of an organization's members. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry users',
  models: Prisma,
  archive: usersArchive,
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: peerSettings,
  features(parts) {
    const { config, database, logger } = parts;
    const repository = new UserRepository();
    // Version 2 stores whether an account is disabled, version 3 roles.
    const projection = { version: 3, member: repository };
    const reader = new EventReader({ config, database, logger, projection });
    const primaryOf = (organizationId: string) => database.within({ organizationId });
    const directoryOf = createDirectoryOf({ ...parts, reader, primaryOf });
    const renamings = new Renamings();
    const users = new Users({
      repository,
      reader,
      renamings,
      room: new Room(),
      accounts: new Accounts({ config, logger }),
    });
    return {
      routes: [
        (app) =>
          suggestionsRoutes(app, {
            tenantOf: async (request) => (await directoryOf(request)).tenant,
            noun: 'user',
            prefix: '/api/users',
            access: 'users:read',
            description: 'The whole name, as the user wrote it; disabled accounts as well, as in the list.',
            hasEmail: true,
            statement: userSuggestions,
          }),
        (app) => usersRoutes(app, { ...parts, users, directoryOf }),
        (app) => usageRoutes(app, { ...parts, prefix: '/api/users', name: 'Users', access: 'users:read' }),
      ],
      background: [reader, renamings],
    };
  },
});
