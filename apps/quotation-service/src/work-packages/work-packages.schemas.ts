import { SuccessOf } from '@tenantry/envelope';
import { Figure, LineOf, LinesOf, Text, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The path of the packages of a quote. */
export const WorkPackagesPath = Type.Object({ quoteId: Uuid() }, closed);

const content = {
  name: LineOf(200, { examples: ['Roof'] }),
  description: LinesOf(5000, { minLength: 0, examples: ['With gutters'] }),
};

/** The body of a new work package. */
export const NewWorkPackageSchema = Type.Object(
  { ...content, description: Type.Optional(content.description) },
  { ...closed, title: 'NewWorkPackage' },
);

/** The path of a single package. */
export const WorkPackagePath = Type.Object({ quoteId: Uuid(), workPackageId: Uuid() }, closed);

/** The body of a change: omitted fields are unchanged. */
export const WorkPackageChangesSchema = Type.Object(
  { name: Type.Optional(content.name), description: Type.Optional(content.description) },
  { ...closed, minProperties: 1, title: 'WorkPackageChanges' },
);

/** The body of an order: all of them, each once. */
export const OrderOf = (maxItems: number) =>
  Type.Object(
    { ids: Type.Array(Uuid(), { maxItems, description: 'each once, in the order wanted' }) },
    closed,
  );

/** The answer to a change. */
export const WorkPackageChangedAnswer = SuccessOf(
  Type.Object(
    { id: Uuid(), name: Text('Roof'), description: Text('With gutters'), subtotal: Figure(3519.88) },
    { ...closed, title: 'WorkPackageSummary' },
  ),
);

/** The answer to an order. */
export const OrderAnswer = SuccessOf(Type.Object({ ids: Type.Array(Uuid()) }, closed));

/** The answer to a creation. */
export const WorkPackageCreatedAnswer = SuccessOf(Type.Object({ id: Uuid() }, closed));
