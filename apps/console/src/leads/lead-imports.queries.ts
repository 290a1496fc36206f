import { useWords } from '../design/language.ts';
import type { ImportThing } from '../imports/thing.queries.ts';
import { leadTexts, textKinds } from './lead-texts.ts';
import { leadWords } from './leads.words.ts';

/** Leads, as files become them. */
export const importedLeads: ImportThing = {
  key: 'leads',
  page: '/leads',
  item: '/leads/{-$id}',
  url: '/api/leads',
  fields: leadTexts,
  required: leadTexts.filter((field) => !textKinds[field].isOptional),
  useLabels: () => useWords(leadWords).lead.fields,
  async read(tenantry, sent) {
    const { sample, ...found } = (await tenantry.readLeadFile(sent)).data;
    return { ...found, sample: sample.map(({ lead: item, ...row }) => ({ ...row, item })) };
  },
  import: async (tenantry, sent) => (await tenantry.importLeads(sent)).data,
  list: async (tenantry, signal) =>
    (await tenantry.listLeadImports({ query: { page: 1, pageSize: 20 }, signal })).data.rows,
  async undo(tenantry, id) {
    const { keptLeads: named, ...counts } = (await tenantry.undoLeadImport({ path: { id } })).data;
    return { ...counts, named };
  },
};
