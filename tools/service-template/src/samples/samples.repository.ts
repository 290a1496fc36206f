import { statement } from '@tenantry/tenancy';
import type { Rows } from '../database.ts';
import type { NewSample, Sample, SampleListQuery, SamplePage } from './sample.ts';

/** The samples of the organization whose rows it is given. */
export interface SampleRepository {
  list(rows: Rows, query: SampleListQuery): Promise<SamplePage>;
  find(rows: Rows, id: string): Promise<Sample | undefined>;
  insert(rows: Rows, sample: NewSample): Promise<{ id: string }>;
}

/** A sample as PostgreSQL answers it. */
interface SampleRow extends Omit<Sample, 'createdAt'> {
  readonly createdAt: Date;
}

/** A row of a page; without an id where the page is empty, so that there is a total beyond the last page too. */
type SamplePageRow = { readonly total: number } & (SampleRow | { readonly id: null });

// Page and total in one statement: one snapshot. The page is read from the index samples_…_created_at_id_idx.
const samplePage = statement<SamplePageRow, [pageSize: number, offset: number]>({
  name: 'sample-page',
  text: `
    SELECT counted.total, page.id, page.title, page.created_at AS "createdAt"
    FROM (SELECT count(*)::int AS total FROM samples WHERE organization_id = $1) counted
    LEFT JOIN (
      SELECT id, title, created_at FROM samples WHERE organization_id = $1
      ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
    ) page ON true
    ORDER BY page.created_at DESC, page.id DESC`,
});

const sampleById = statement<SampleRow, [id: string]>({
  name: 'sample-by-id',
  text: 'SELECT id, title, created_at AS "createdAt" FROM samples WHERE organization_id = $1 AND id = $2',
});

const insertSample = statement<{ id: string }, [title: string]>({
  name: 'sample-insert',
  text: 'INSERT INTO samples (organization_id, title) VALUES ($1, $2) RETURNING id',
});

/** Samples in PostgreSQL. */
export function createSampleRepository(): SampleRepository {
  return {
    async list(rows, { page, pageSize }) {
      const found = await rows.query(samplePage, [pageSize, (page - 1) * pageSize]);
      const items = found.flatMap((row) => (row.id === null ? [] : [toSample(row)]));
      return { items, total: found[0]?.total ?? 0 };
    },

    async find(rows, id) {
      const [row] = await rows.query(sampleById, [id]);
      return row && toSample(row);
    },

    async insert(rows, { title }) {
      const [created] = await rows.query(insertSample, [title]);
      if (!created) throw new Error('INSERT … RETURNING answered no row');
      return created;
    },
  };
}

const toSample = ({ id, title, createdAt }: SampleRow): Sample => ({
  id,
  title,
  createdAt: createdAt.toISOString(),
});
