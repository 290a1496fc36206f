import { invalidField } from '@tenantry/envelope';
import { limits } from '@tenantry/money';

/** Maximum lines of a work package. */
export const lineItemsMax = 500;

/** The package has the maximum number of lines. */
export const tooManyLineItems = () =>
  invalidField({
    field: 'items',
    rule: 'maxItems',
    params: { limit: lineItemsMax },
    message: `must have at most ${lineItemsMax} items`,
  });

/** The price of the line has more digits than a JSON number can represent exactly in every sum. */
export const lineItemTooLarge = () => {
  const limit = limits.lineTotalMax;
  const message = `makes a line of more than ${limit.toLocaleString('en')}`;
  return invalidField({ field: 'unitPrice', rule: 'lineTotal', params: { limit }, message });
};
