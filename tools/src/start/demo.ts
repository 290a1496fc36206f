import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSecrets } from '../secrets.ts';
import { createApi, type Api } from './demo-api.ts';
import { demoOrganizations, type DemoLead, type DemoOrganization } from './demo-data.ts';
import { spreadDates } from './demo-dates.ts';
import { confirmAddress } from './demo-mail.ts';
import { seedQuotes, type DemoCustomer } from './demo-quotes.ts';
import type { Progress } from './progress.ts';
import type { Stack } from './stack.ts';

/**
 * Adds the demo organizations through the public API, exactly as a client would; what is there already stays.
 *
 * @returns the sign-ins, as text for a terminal.
 * @throws ExplainedError when the gateway refuses something.
 */
export async function seedDemo(
  { url, directory, adminUrl }: Pick<Stack, 'url' | 'directory' | 'adminUrl'>,
  progress: Pick<Progress, 'step'>,
): Promise<string> {
  const { DEMO_PASSWORD: password = '' } = await ensureSecrets(directory, ['DEMO_PASSWORD']);
  const way = { url, mailDirectory: join(directory, 'mail') };
  for (const organization of demoOrganizations) {
    await progress.step(`demo: ${organization.name}`, async () => {
      const { id, isNew } = await seedOrganization(way, organization, password);
      if (isNew && adminUrl !== undefined) await spreadDates(adminUrl, [id]);
    });
  }
  return signIns(url, password);
}

/** How the demo reaches the services, and where they leave their letters. */
interface Way {
  readonly url: string;
  readonly mailDirectory: string;
}

async function seedOrganization(
  way: Way,
  wanted: DemoOrganization,
  password: string,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const api = await signedIn(way, wanted.owner, password);
  const { organizations } = await api.get<{ organizations: { id: string; slug: string }[] }>(
    '/api/auth/organization/list',
  );
  const known = organizations.find(({ slug }) => slug === wanted.slug);
  const { id } = known ?? (await createOrganization(api, wanted));
  const { session } = await api.post<Session>('/api/auth/organization/switch', { organizationId: id });
  const active = api.as(session.token);
  // Quotes are sent with what quotation-service has heard of their organization by then.
  if (!known) await seedLetterhead(active, id, wanted);
  await seedUsers(active, wanted, password);
  await seedQuotes(active, wanted.quotes, await seedLeads(active, wanted));
  return { id, isNew: !known };
}

async function seedLetterhead(api: Api, id: string, { slug, settings }: DemoOrganization): Promise<void> {
  const logo = await readFile(new URL(`demo-logos/${slug}.png`, import.meta.url));
  await api.putPicture(`/api/auth/organization/${id}/logo`, logo);
  await api.patch(`/api/auth/organization/${id}`, { settings });
}

interface Session {
  session: { token: string };
}

/** Signs up and confirms the address, or signs in when the account is there from an earlier start. */
async function signedIn(way: Way, owner: DemoOrganization['owner'], password: string): Promise<Api> {
  const api = createApi(way.url);
  const created = await api.try<Session>('POST', '/api/auth/sign-up/email', { ...owner, password });
  if (created) await confirmAddress(api, way.mailDirectory, owner.email);
  const { session } =
    created ?? (await api.post<Session>('/api/auth/sign-in/email', { email: owner.email, password }));
  return api.as(session.token);
}

async function createOrganization(api: Api, { name, slug }: DemoOrganization): Promise<{ id: string }> {
  const { organization } = await api.post<{ organization: { id: string } }>('/api/auth/organization/create', {
    name,
    slug,
  });
  return organization;
}

async function seedUsers(api: Api, { colleagues }: DemoOrganization, password: string): Promise<void> {
  for (const colleague of colleagues) {
    const search = encodeURIComponent(colleague.email);
    const found = await api.get<{ meta: { total: number } }>(`/api/users?search=${search}`);
    if (found.meta.total === 0) await api.post('/api/users', { ...colleague, password });
  }
}

/** @returns the leads, by their e-mail addresses */
async function seedLeads(api: Api, { leads }: DemoOrganization): Promise<ReadonlyMap<string, DemoCustomer>> {
  const seeded = new Map<string, DemoCustomer>();
  for (const { path, ...lead } of leads) {
    const { name, email } = lead;
    const search = encodeURIComponent(email);
    const found = await api.get<{ data: readonly { id: string }[] }>(`/api/leads?search=${search}`);
    const id = found.data[0]?.id ?? (await seedLead(api, lead, path));
    seeded.set(email, { id, name, email });
  }
  return seeded;
}

async function seedLead(api: Api, lead: Omit<DemoLead, 'path'>, path: readonly string[]): Promise<string> {
  const { data } = await api.post<{ data: { id: string } }>('/api/leads', lead);
  for (const status of path) await api.put(`/api/leads/${data.id}`, { status });
  return data.id;
}

function signIns(url: string, password: string): string {
  const rows = demoOrganizations.map(
    ({ name, owner }) => `  ${name.padEnd(20)} ${owner.email.padEnd(24)} ${password}`,
  );
  const body = JSON.stringify({ email: demoOrganizations[0].owner.email, password });
  const request = `  curl -s ${url}/api/auth/sign-in/email -H 'content-type: application/json' -d '${body}'`;
  return ['', 'Demo sign-ins', ...rows, '', request, ''].join('\n');
}
