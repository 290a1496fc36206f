import { PageOf, RequestMetaSchema, SuccessOf, SuccessWithMeta } from '@tenantry/envelope';
import {
  ClosedObject,
  commaList,
  LineOf,
  PageQueryOf,
  SearchTerm,
  SortBy,
  Timestamp,
  Uuid,
  optional,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { leadOrders } from './lead.ts';
import { leadMovesDescription, leadStatus } from './lead-status.ts';
import { givenTexts, shownTexts } from './lead-texts.ts';

/** The statuses that a list is filtered by. */
export const listedStatuses = commaList(leadStatus.states, { examples: ['new,contacted'] });

/** Additional fields of listed leads. */
export const extraFields = commaList(['version', 'updatedAt', 'allowedTransitions'], {
  description: 'adds these fields to each lead',
  examples: ['version,updatedAt'],
});

/** The path of a single lead. */
export const LeadPath = ClosedObject({ id: Uuid() });

/** Which leads, and in which order. */
const filterFields = {
  status: Type.Optional(listedStatuses.Schema),
  source: Type.Optional(
    LineOf(50, { description: 'the full source; case and accents do not matter', examples: ['fair'] }),
  ),
  createdFrom: Type.Optional(Timestamp({ description: 'created then or later' })),
  createdTo: Type.Optional(Timestamp({ description: 'created before' })),
  search: SearchTerm('name or e-mail', 'babbage'),
  sort: SortBy(leadOrders),
};

/** The query of the list. */
export const LeadListQuerySchema = PageQueryOf({
  ...filterFields,
  deleted: Type.Enum(['true', 'false'], {
    default: 'false',
    description: 'true: only deleted leads, each with the time of its deletion',
  }),
  include: Type.Optional(extraFields.Schema),
});

/** The query of an export. */
export const LeadExportQuerySchema = ClosedObject(filterFields);

/** The body of a new lead. */
export const NewLeadSchema = ClosedObject(givenTexts, { title: 'NewLead' });

/** The body of a change: any of the fields; null empties an optional one, omitted fields are unchanged. */
export const LeadChangesSchema = ClosedObject(
  {
    ...optional(givenTexts),
    status: Type.Optional({ ...leadStatus.Schema, description: leadMovesDescription }),
  },
  { minProperties: 1, title: 'LeadChanges', examples: [{ status: 'contacted' }] },
);

const { notes, ...listedTexts } = shownTexts;
const listed = { id: Uuid(), ...listedTexts, status: leadStatus.Schema, createdAt: Timestamp() };

/** The response of the list. */
export const LeadListAnswer = PageOf(
  ClosedObject(
    {
      ...listed,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'for If-Match, in quotation marks' })),
      updatedAt: Type.Optional(Timestamp()),
      allowedTransitions: Type.Optional(Type.Array(leadStatus.Schema)),
      deletedAt: Type.Optional(Timestamp({ description: 'of a deleted lead' })),
    },
    { title: 'LeadListItem' },
  ),
);

/** The response about one whole lead. */
export const LeadAnswer = SuccessOf(
  ClosedObject(
    {
      ...listed,
      notes,
      updatedAt: Timestamp(),
      allowedTransitions: Type.Array(leadStatus.Schema),
    },
    { title: 'Lead' },
  ),
);

/** Names the earliest other live lead with the same e-mail address, if there is one. */
const WrittenMeta = ClosedObject(
  { ...RequestMetaSchema.properties, duplicateOf: Type.Optional(Uuid()) },
  { title: 'WrittenLeadMeta' },
);

/** The response to a creation. */
export const LeadCreatedAnswer = SuccessWithMeta(ClosedObject({ id: Uuid() }), WrittenMeta);

/** The response to a change. */
export const LeadChangedAnswer = SuccessWithMeta(
  ClosedObject({ id: listed.id, name: listed.name, email: listed.email, status: listed.status }),
  WrittenMeta,
);
