import { SuccessOf } from '@tenantry/envelope';
import { LineOf, LinesOf, Uuid } from '@tenantry/service-kit';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The path of the packages of a quote. */
export const WorkPackagesPath = Type.Object({ quoteId: Uuid() }, closed);

const content = {
  name: LineOf(200, { examples: ['Roof'] }),
  description: LinesOf(5000, { minLength: 0 }),
};

/** The body of a new work package. */
export const NewWorkPackageSchema = Type.Object(
  { ...content, description: Type.Optional(content.description) },
  { ...closed, title: 'NewWorkPackage' },
);

/** The answer to a creation. */
export const WorkPackageCreatedAnswer = SuccessOf(Type.Object({ id: Uuid() }, closed));
