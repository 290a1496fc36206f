import { SuccessOf } from '@tenantry/envelope';
import { ClosedObject, Figure, LineOf, LinesOf, Text, Uuid, optional } from '@tenantry/service/resources';
import { Type } from 'typebox';

/** The path of the packages of a quote. */
export const WorkPackagesPath = ClosedObject({ quoteId: Uuid() });

const content = {
  name: LineOf(200, { examples: ['Roof'] }),
  description: LinesOf(5000, { minLength: 0, examples: ['With gutters'] }),
};

/** The body of a new work package. */
export const NewWorkPackageSchema = ClosedObject(
  { ...content, description: Type.Optional(content.description) },
  { title: 'NewWorkPackage' },
);

/** The path of a single package. */
export const WorkPackagePath = ClosedObject({ quoteId: Uuid(), workPackageId: Uuid() });

/** The body of a change: omitted fields are unchanged. */
export const WorkPackageChangesSchema = ClosedObject(optional(content), {
  minProperties: 1,
  title: 'WorkPackageChanges',
});

/** The body of an order: all of them, each once. */
export const OrderOf = (maxItems: number) =>
  ClosedObject({ ids: Type.Array(Uuid(), { maxItems, description: 'each once, in the order wanted' }) });

/** The response to a change. */
export const WorkPackageChangedAnswer = SuccessOf(
  ClosedObject(
    { id: Uuid(), name: Text('Roof'), description: Text('With gutters'), subtotal: Figure(3519.88) },
    { title: 'WorkPackageSummary' },
  ),
);

/** The response to an order. */
export const OrderAnswer = SuccessOf(ClosedObject({ ids: Type.Array(Uuid()) }));

/** The response to a creation. */
export const WorkPackageCreatedAnswer = SuccessOf(ClosedObject({ id: Uuid() }));
