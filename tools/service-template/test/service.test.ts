import { standardServiceTests } from '@tenantry/service-tests';
import { openTestFeed } from '@tenantry/service-tests'; //#with events
import { afterAll } from 'vitest'; //#with events
import { service } from '../src/service.ts';
//#with events

const feed = await openTestFeed();
afterAll(() => feed.close());
//#end

standardServiceTests(service); //#with !audit&!events&!idempotency&!mail
//#with audit|events|idempotency|mail
standardServiceTests(service, {
  env: feed.env, //#with events
  catalog: {
    unscoped: {
      due_work: 'names organizations and rows, for workers that are in no organization yet', //#with audit|idempotency|mail
      event_reader: 'where the reader of events stands', //#with events
      event_subjects: 'names ids alone, for a reader that is in no organization yet', //#with events
    },
  },
});
//#end
