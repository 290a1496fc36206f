import { fileSchemasOf } from '@tenantry/service/files';
import { Nullable } from '@tenantry/service/resources';
import * as tables from '@tenantry/tables';
import { shownTexts } from '../leads/lead-texts.ts';
import { leadFields } from './lead-fields.ts';
import { leadNoun } from './lead-files.routes.ts';

const { name, email, ...optional } = shownTexts;

/** How a file of leads is read, where its sender knows better, and the response about one. */
export const leadFileSchemas = fileSchemasOf(
  leadNoun,
  {
    shown: { name: Nullable(name), email: Nullable(email), ...optional },
    called: {
      ...{ name: 'the name', email: 'the e-mail address', phone: 'the phone number' },
      ...{ source: 'the source', notes: 'the notes' },
    },
    warnings: tables.rowWarningsOf(leadFields),
  },
  tables,
);
