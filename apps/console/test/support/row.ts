import type { FakeApi } from './fake-api.ts';

/** A page in a state. */
export interface Row {
  readonly path: string;
  /** Who opens it, and its state. */
  readonly state: string;
  readonly api: () => FakeApi;
  /** What the reader finds: a heading, or a dialog of that name. */
  readonly shows: string;
  readonly act?: () => Promise<void>;
  readonly language?: 'sv';
}
