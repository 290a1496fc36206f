import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewServiceNames } from './names.ts';

const models = `
/// Where the reader of auth-service's events stands.
model EventReader {
  name             String  @id
  cursor           String?
  round            Int     @default(1)
  isComplete       Boolean @default(false) @map("is_complete")
  projection       Int     @default(1)
  projectionCursor String? @map("projection_cursor")

  @@map("event_reader")
}

/// Of whom auth-service has told, and in which round.
model EventSubject {
  organizationId String @map("organization_id") @db.Uuid
  subjectId      String @map("subject_id") @db.Uuid
  round          Int

  @@id([organizationId, subjectId])
  @@index([round], map: "event_subjects_by_round")
  @@map("event_subjects")
}

/// Organizations that were deleted: organization-ends.sql of business-service.
model OrganizationEnd {
  organizationId String    @id @map("organization_id") @db.Uuid
  endedAt        DateTime? @map("ended_at") @db.Timestamptz(3)
  purgeAt        DateTime  @map("purge_at") @db.Timestamptz(3)
  attempts       Int       @default(0)
  isPurging      Boolean   @default(false) @map("is_purging")

  @@index([purgeAt], map: "organization_ends_next")
  @@map("organization_ends")
}
`;

/**
 * Gives a new service, whose first migration is written, the tables by which it learns of organizations that were deleted. They
 * are under no policy, so they come from the files of business-service and not from the schema.
 */
export async function addOrganizationEnds(
  { projectRoot, workspaceRoot }: { readonly projectRoot: string; readonly workspaceRoot: string },
  { service }: Pick<NewServiceNames, 'service'>,
): Promise<void> {
  const migrations = join(projectRoot, 'prisma/migrations');
  const [first = ''] = (await readdir(migrations)).toSorted();
  const next = join(migrations, `${BigInt(first.split('_', 1)[0] ?? '0') + 1n}_organizations_end`);
  const sql = (file: string) => readFile(join(workspaceRoot, 'libs/business-service/sql', file), 'utf8');
  const role = `tenantry_${service.replaceAll('-', '_')}`;
  const grants = `
GRANT SELECT, UPDATE ON event_reader TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects, organization_ends TO ${role};
`;
  await mkdir(next);
  await writeFile(
    join(next, 'migration.sql'),
    `${await sql('events.sql')}\n${await sql('organization-ends.sql')}${grants}`,
  );
  await appendFile(join(projectRoot, 'prisma/schema.prisma'), models);
}
