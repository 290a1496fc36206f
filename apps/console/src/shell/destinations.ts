import type { ShellWords } from './shell.words.en.ts';

/** A page that is reached from everywhere. */
export interface Destination {
  readonly path: `/${string}`;
  readonly name: keyof ShellWords['navigation']['names'];
  /** The key that opens it after `g`. */
  readonly key: string;
}

/** Pages that are reached from everywhere, the most used first. */
export const destinations: readonly Destination[] = [
  { path: '/', name: 'home', key: 'h' },
  { path: '/leads', name: 'leads', key: 'l' },
  { path: '/quotes', name: 'quotes', key: 'q' },
  { path: '/customers', name: 'customers', key: 'c' },
  { path: '/people', name: 'people', key: 'p' },
  { path: '/organization', name: 'organization', key: 'o' },
  { path: '/activity', name: 'activity', key: 'a' },
];
