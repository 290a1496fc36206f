import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { added, apiOfActivity, contacted, ofOrganization, sent, trailsOfAcme } from './support/activity.ts';
import { Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { listed } from './support/people.ts';
import { signedInAs } from './support/starts.ts';

const sentences = page.getByRole('main').getByRole('listitem');

test('the trails are one, newest first, in sentences', async () => {
  await open('/activity', apiOfActivity(signedInAs('admin')));
  await expect.element(sentences.first()).toHaveTextContent('Ada Lovelace added the lead Åse Berg');
  expect(sentences.elements().map((element) => element.querySelector('p')?.textContent)).toEqual([
    'Ada Lovelace added the lead Åse Berg',
    'Ada Lovelace invited alan@example.com as a member',
    'Ada Lovelace sent the quote Q-2026-0007',
  ]);
});

test('a change says what it was and what it is', async () => {
  const api = apiOfActivity(signedInAs('admin')).on(trailsOfAcme.leads, listed([contacted]));
  await open('/activity?kind=leads', api);
  await expect.element(sentences.first()).toHaveTextContent('Ada Lovelace changed the lead Åse Berg: notes');
  await expect.element(page.getByText('Status: New → Contacted', { exact: true })).toBeVisible();
});

test('what is no person is told, and drawn, as what it is', async () => {
  const by = (kind: string, name: string | null) => ({
    ...added,
    id: kind,
    actor: { kind, userId: null, name },
  });
  const kinds = [
    by('service-account', 'Nightly Sync'),
    by('directory', 'Okta'),
    by('job', 'demo'),
    by('user', 'Ada Lovelace'),
  ];
  await open(
    '/activity?kind=leads',
    apiOfActivity(signedInAs('admin')).on(trailsOfAcme.leads, listed(kinds)),
  );
  await expect.element(sentences.first()).toHaveTextContent('Nightly Sync (service account) added');
  const initials = sentences
    .elements()
    .map((one) => one.querySelector('[data-initials]')?.getAttribute('data-initials'));
  expect(initials).toEqual([undefined, undefined, undefined, 'AL']);
});

test('one that cannot be read is named, and the others are shown', async () => {
  const failing = new Refusal(403, 'FORBIDDEN');
  const api = apiOfActivity(signedInAs('admin')).on(trailsOfAcme.leads, failing);
  await open('/activity', api);
  await expect
    .element(page.getByText('Leads: could not be loaded and is missing from the list.'))
    .toBeVisible();
  await expect.element(sentences.first()).toHaveTextContent('invited alan@example.com');
});

test('they are asked for by person, kind and day, which are in the address', async () => {
  const api = apiOfActivity(signedInAs('admin'));
  const { address } = await open('/activity', api);
  await page.getByLabelText('Kind').selectOptions('Quotes');
  await expect.poll(() => sentences.elements()).toHaveLength(1);
  await page.getByLabelText('From').fill('2026-11-23');
  await expect.poll(address).toBe('/activity?kind=quotes&from=2026-11-23');
  api.on(trailsOfAcme.quotes, listed([]));
  await page.getByLabelText('To', { exact: true }).fill('2026-11-23');
  await expect.element(page.getByText('No activity matches these filters.')).toBeVisible();
  await page.getByRole('group').getByRole('button', { name: 'Show everything' }).click();
  await expect.poll(address).toBe('/activity');
});

test('what happened to one thing alone is asked for by it, which is in the address', async () => {
  const id = '01a22712-7e4d-7a4c-8f78-b287ca6f1ade';
  const target = { type: 'quote', id, name: 'Q-2026-0007' };
  const api = apiOfActivity(signedInAs('admin')).on(trailsOfAcme.quotes, listed([{ ...sent, target }]));
  const { address } = await open('/activity', api);
  await page.getByRole('button', { name: 'Only what happened to Q-2026-0007' }).click();
  await expect.poll(address).toBe(`/activity?about=${id}`);
  const asked = () => api.requests.filter(({ operation }) => operation === trailsOfAcme.quotes).at(-1)?.query;
  await expect.poll(() => asked()?.['targetId']).toBe(id);
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect.poll(address).toBe('/activity');
});

test('what somebody did in a row is folded', async () => {
  const again = { ...sent, id: 'again', action: 'quote.created', createdAt: '2026-11-23T07:00:00Z' };
  const api = apiOfActivity(signedInAs('admin')).on(trailsOfAcme.quotes, listed([sent, again]));
  await open('/activity?kind=quotes', api);
  await expect.element(page.getByText('Ada Lovelace wrote the quote Q-2026-0007')).not.toBeVisible();
  await page.getByText('and one more').click();
  await expect.element(page.getByText('Ada Lovelace wrote the quote Q-2026-0007')).toBeVisible();
});

test('more of a long trail is loaded only where it belongs next', async () => {
  const older = { ...sent, id: 'older', createdAt: '2026-11-01T10:00:00Z', action: 'organization.updated' };
  const asked: (string | undefined)[] = [];
  const api = apiOfActivity(signedInAs('admin')).on(trailsOfAcme.organization, ({ query }) => {
    const { page: at } = query;
    asked.push(at);
    return ofOrganization(at === '1' ? [{ ...sent, id: 'first' }] : [older], { total: 51, page: Number(at) });
  });
  await open('/activity', api);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(sentences.last()).toHaveTextContent('changed the organization');
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  expect(asked.filter((at) => at !== '1')).toEqual(['2']);
});
