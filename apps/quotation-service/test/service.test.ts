import { openTestFeed, standardServiceTests } from '@tenantry/service-tests';
import { afterAll } from 'vitest';
import { service } from '../src/service.ts';

const feed = await openTestFeed();
afterAll(() => feed.close());

standardServiceTests(service, {
  librariesInFull: ['service'],
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
    quote_counters: 'a row for each year',
    quote_counts: 'a row for each status, as a sum of changes',
  },
  statements: {
    functions: {
      'app.fold_text': 'folds the case and the accents of a text',
      'app.loosen': 'makes apostrophes, dashes and blanks of a text one',
      'app.loose_pattern': 'a term as a pattern in which they are one',
      'app.swedish_order': 'a name, with its Swedish letters behind z',
      'app.spellings': 'the ways in which a term may be written',
      chr: 'a letter by its number',
      jsonb_array_elements: 'the elements of an array as rows',
      trim_scale: 'a number without zeros at its end',
      translate: 'puts letters in the place of others',
      array_position: 'finds where an element of an array is',
      timezone: 'AT TIME ZONE: moves a moment into a time zone',
      regexp_replace: 'replaces what a pattern finds in a text',
      lpad: 'fills a number with zeros',
      pg_advisory_xact_lock: "waits for the organization's other letters, or its other imports",
    },
  },
});
