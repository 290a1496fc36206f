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
  uncounted: {
    lead_counts: 'a row for each status, as a sum of changes',
    lead_entry_counts: 'a row for each status and quarter of an hour, as a sum of changes',
  },
  statements: {
    functions: {
      'app.fold_text': 'folds the case and the accents of a text',
      'app.loosen': 'makes apostrophes, dashes and blanks of a text one',
      'app.loose_pattern': 'a term as a pattern in which they are one',
      'app.spellings': 'the ways in which a term may be written',
      timezone: 'AT TIME ZONE: moves a moment into a time zone',
    },
  },
});
