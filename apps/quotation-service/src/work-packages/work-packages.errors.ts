import { ApiError, invalidField } from '@tenantry/envelope';

/** Maximum packages of a quote. */
export const workPackagesMax = 100;

/** Also the answer to a package of another quote. */
export const workPackageNotFound = () =>
  new ApiError('NOT_FOUND', 'No work package of the quote has this id.');

/** Also the answer to a line of another package. */
export const lineItemNotFound = () => new ApiError('NOT_FOUND', 'No item of the work package has this id.');

/** An order must list each once. */
export const orderIncomplete = (noun: string) =>
  invalidField({ field: 'ids', rule: 'order', message: `must name every ${noun} once` });

/** The quote has the maximum number of packages. */
export const tooManyWorkPackages = () =>
  invalidField({
    field: 'workPackages',
    rule: 'maxItems',
    params: { limit: workPackagesMax },
    message: `must have at most ${workPackagesMax} items`,
  });
