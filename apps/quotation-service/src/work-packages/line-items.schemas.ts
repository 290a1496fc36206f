import { SuccessOf } from '@tenantry/envelope';
import { limits } from '@tenantry/money';
import {
  ClosedObject,
  DecimalOf,
  Figure,
  LineOf,
  LinesOf,
  Uuid,
  optional,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { LineItemSchema } from '../quotes/quotes.schemas.ts';

const content = {
  articleNumber: LineOf(50, { minLength: 0, examples: ['R-100'] }),
  description: LinesOf(5000, { examples: ['Roofing felt, laid'] }),
  quantity: DecimalOf(limits.quantity.decimals, {
    exclusiveMinimum: 0,
    maximum: limits.quantity.maximum,
    description: 'at most four decimals',
    examples: [7.25],
  }),
  unit: LineOf(20, { examples: ['hours'] }),
  unitPrice: DecimalOf(limits.unitPrice.decimals, {
    minimum: 0,
    maximum: limits.unitPrice.maximum,
    description: 'at most four decimals; it is never rounded',
    examples: [485.5],
  }),
};

/** The body of a new line. */
export const NewLineItemSchema = ClosedObject(
  { ...content, articleNumber: Type.Optional(content.articleNumber) },
  { title: 'NewLineItem' },
);

/** The path of a single line. */
export const LineItemPath = ClosedObject({ quoteId: Uuid(), workPackageId: Uuid(), itemId: Uuid() });

/** The body of a change: omitted fields are unchanged. */
export const LineItemChangesSchema = ClosedObject(optional(content), {
  minProperties: 1,
  title: 'LineItemChanges',
});

/** The response to a change. */
export const LineItemChangedAnswer = SuccessOf(LineItemSchema);

/** The response to a creation. */
export const LineItemCreatedAnswer = SuccessOf(ClosedObject({ id: Uuid(), totalPrice: Figure(3519.88) }));
