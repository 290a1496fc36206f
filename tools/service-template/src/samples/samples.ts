import type { Tenant } from '../database.ts';
import type { NewSample, Sample, SampleListQuery, SamplePage } from './sample.ts';
import { sampleNotFound } from './samples.errors.ts';
import type { SampleRepository } from './samples.repository.ts';

/** What can be done with the samples of an organization. */
export interface Samples {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: SampleListQuery): Promise<SamplePage>;
  get(tenant: Tenant, id: string): Promise<Sample>;
  create(tenant: Tenant, sample: NewSample): Promise<{ id: string }>;
}

/** Makes the use cases of samples. */
export function createSamples(repository: SampleRepository): Samples {
  return {
    list: (tenant, query) => repository.list(tenant, query),

    async get(tenant, id) {
      const sample = await repository.find(tenant, id);
      if (!sample) throw sampleNotFound();
      return sample;
    },

    create: (tenant, sample) => repository.insert(tenant, sample),
  };
}
