export { catalogProblems } from './catalog.ts';
export type { CatalogOptions } from './catalog.ts';
