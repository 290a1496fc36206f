import { openTestFeed, standardServiceTests } from '@tenantry/service-tests';
import { afterAll } from 'vitest';
import { service } from '../src/service.ts';

const feed = await openTestFeed();
afterAll(() => feed.close());

standardServiceTests(service, {
  env: feed.env,
  catalog: {
    unscoped: {
      due_work: 'names organizations and rows, for workers that are in no organization yet',
      organization_ends: 'names organizations that were deleted, for workers that are in none',
      event_reader: 'the cursor of the event reader',
      event_subjects: 'has only ids, for a reader that is in no organization yet',
    },
  },
});
