import { ApiError, invalidField } from '@tenantry/envelope';

/** How many packages a quote may have. */
export const workPackagesMax = 100;

/** Also the answer to a package of another quote. */
export const workPackageNotFound = () =>
  new ApiError('NOT_FOUND', 'No work package of the quote has this id.');

/** Also the answer to a line of another package. */
export const lineItemNotFound = () => new ApiError('NOT_FOUND', 'No item of the work package has this id.');

/** An order names each once. */
export const orderIncomplete = (noun: string) =>
  invalidField({ field: 'ids', rule: 'order', message: `must name every ${noun} once` });

/** The quote holds as many packages as it may. */
export const tooManyWorkPackages = () =>
  invalidField({
    field: 'workPackages',
    rule: 'maxItems',
    params: { limit: workPackagesMax },
    message: `must have at most ${workPackagesMax} items`,
  });
