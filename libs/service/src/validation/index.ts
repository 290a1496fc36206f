export { checkBy } from './check.ts';
export type { Check } from './check.ts';
export { composed, isVisible } from './text.ts';
