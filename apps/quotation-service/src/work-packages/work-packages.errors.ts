import { ApiError, invalidField } from '@tenantry/envelope';
import { workPackagesMax } from './work-packages.repository.ts';

/** Also the answer to a package of another quote. */
export const workPackageNotFound = () =>
  new ApiError('NOT_FOUND', 'No work package of the quote has this id.');

/** The quote holds as many packages as it may. */
export const tooManyWorkPackages = () =>
  invalidField({
    field: 'workPackages',
    rule: 'maxItems',
    params: { limit: workPackagesMax },
    message: `must have at most ${workPackagesMax} items`,
  });
