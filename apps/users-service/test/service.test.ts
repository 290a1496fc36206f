import { openTestFeed, standardServiceTests } from '@tenantry/service-tests';
import { afterAll } from 'vitest';
import { service } from '../src/service.ts';

const feed = await openTestFeed();
afterAll(() => feed.close());

standardServiceTests(service, {
  env: feed.env,
  catalog: {
    unscoped: {
      organization_ends: 'names organizations that were deleted, for workers that are in none',
      event_reader: 'the cursor of the event reader',
      event_subjects: 'has only ids, for a reader that is in no organization yet',
    },
  },
  uncounted: { profile_counts: 'a row for each organization' },
  statements: {
    functions: {
      'app.fold_text': 'folds the case and the accents of a text',
      'app.loosen': 'makes apostrophes, dashes and blanks of a text one',
      'app.loose_pattern': 'a term as a pattern in which they are one',
      'app.spellings': 'the ways in which a term may be written',
      translate: 'puts letters in the place of others',
    },
  },
});
