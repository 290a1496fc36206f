import { PageOf, SuccessOf } from '@tenantry/envelope';
import { LineOf, PageQueryOf, Text, Timestamp, Uuid } from '@tenantry/service-kit';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The path of a single sample. */
export const SamplePath = Type.Object({ id: Uuid() }, closed);

/** The query of the list. */
export const SampleListQuerySchema = PageQueryOf({});

/** The body of a new sample. */
export const NewSampleSchema = Type.Object(
  { title: LineOf(200, { examples: ['A first sample'] }) },
  { ...closed, title: 'NewSample' },
);

const SampleSchema = Type.Object(
  { id: Uuid(), title: Text('A first sample'), createdAt: Timestamp() },
  { ...closed, title: 'Sample' },
);

/** The list's answer. */
export const SampleListAnswer = PageOf(SampleSchema);

/** The answer about one sample. */
export const SampleAnswer = SuccessOf(SampleSchema);

/** The answer to a creation. */
export const SampleCreatedAnswer = SuccessOf(Type.Object({ id: Uuid() }, closed));
