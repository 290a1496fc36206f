/**
 * What leads-service is measured against: the same SQL behind a route of Fastify and `pg`, for whichever organization a
 * header names, with no token, no validation, no row-level security (a superuser is past it) and no schema. Started by
 * leads-list.bench.ts.
 */
import fastify from 'fastify';
import pg from 'pg';
import { firstLeads, listLeads } from './leads-database.ts';
import { askedList } from './lists.ts';

const [connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10, options: '-c plan_cache_mode=force_generic_plan' });
const app = fastify();
const { statement } = askedList(await listLeads(), firstLeads);
const { name, text } = statement;

app.get('/ready', async () => 'ready');
app.get('/api/leads', async ({ headers }) => {
  const { rows } = await pool.query({ name, text, values: [headers['x-organization-id'], 10, 0] });
  return rows as unknown;
});
app.get<{ Params: { id: string } }>('/api/leads/:id', async ({ params, headers }) => {
  const { rows } = await pool.query({
    name: 'lead-by-id',
    text: `SELECT id, name, email, phone, status, source, notes, version, created_at AS "createdAt", updated_at AS "updatedAt"
      FROM leads WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`,
    values: [headers['x-organization-id'], params.id],
  });
  return rows[0] as unknown;
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
