export { checkBy } from './check.ts';
export type { Check } from './check.ts';
export { isAllStorable } from './text.ts';
export { textOf } from './utf8.ts';
