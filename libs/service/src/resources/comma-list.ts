import { Type, type TString, type TStringOptions } from 'typebox';

/** Several values of a closed set in one query parameter. */
export interface CommaList<Value extends string> {
  /** The schema of the parameter. */
  readonly Schema: TString;
  /** The values of a valid parameter, each once; empty without a parameter. */
  read(text: string | undefined): readonly Value[];
}

/**
 * A query parameter that takes one or more of some values, separated by commas.
 *
 * @param values names of letters, digits and hyphens
 * @example
 * const statuses = commaList(['new', 'won']);
 * const query = PageQueryOf({ status: Type.Optional(statuses.Schema) });
 * statuses.read('new,won'); // ['new', 'won']
 */
export function commaList<const Value extends string>(
  values: readonly Value[],
  options: TStringOptions = {},
): CommaList<Value> {
  const one = `(?:${values.join('|')})`;
  return {
    Schema: Type.String({
      description: `one or more of ${values.join(', ')}, separated by commas`,
      ...options,
      commaList: values,
      pattern: `^${one}(?:,${one})*$`,
      messages: { pattern: `must be one or more of ${values.join(', ')}, separated by commas` },
    }),
    read: (text) => [...new Set(text?.split(','))] as Value[],
  };
}
