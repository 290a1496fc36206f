import { SuccessOf } from '@tenantry/envelope';
import { ClosedObject, LineOf, Text, Uuid } from '@tenantry/service-kit/resources';
import { Type, type TSchema } from 'typebox';

/** The query of suggestions for a name that is being typed. */
export const SuggestionsQuery = ClosedObject({
  prefix: LineOf(100, {
    description: 'what a name begins with; case and accents do not matter',
    examples: ['ann'],
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
});

/** The response of suggestions, each with enough to tell it from others of the same name. */
export const SuggestionsAnswerOf = <Email extends TSchema>(title: string, email: Email) =>
  SuccessOf(Type.Array(ClosedObject({ id: Uuid(), name: Text('Anna Andersson'), email }, { title })));
