import { _, type Ajv } from 'ajv';

/** How many decimals a number has as it is written: floating-point arithmetic would give 19.99 more than two. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const written = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, written - Number(exponent));
}

/** Teaches Ajv the keyword `decimals`: how many a number may have. `multipleOf: 0.01` would refuse 19.99. */
export function addDecimalsKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'decimals',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: { message: 'too many decimals', params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
    compile: (limit: number) => (value: number) => decimalsOf(value) <= limit,
  });
}
