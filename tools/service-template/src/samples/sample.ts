/** A sample. Times are ISO 8601 UTC. */
export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
}

/** What a new sample is made of. */
export interface NewSample {
  readonly title: string;
}

/** Which page of the samples, newest first. */
export interface SampleListQuery {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** One page, and how many samples there are in all, as of one moment. */
export interface SamplePage {
  readonly items: Sample[];
  readonly total: number;
}
