import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import {
  acme,
  apiOfOrganization,
  leadSettings,
  organizationPath,
  peopleUsage,
  usage,
} from './support/organization.ts';
import { invitations } from './support/people.ts';
import { organization, signedIn, signedInAs } from './support/starts.ts';

const update = `PATCH ${organizationPath}`;
const logo = `${organizationPath}/logo`;
const section = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the settings', () => {
  test('are saved a section at a time, with numbers as the reader writes them', async () => {
    const api = apiOfOrganization(signedInAs('admin')).on(update, { organization: acme });
    await open('/organization/quotes', api, { language: 'sv' });
    await section('Offerter').getByLabelText('Moms i procent').fill('12,5');
    await section('Offerter').getByLabelText('Offertnummer börjar med').fill('ab');
    await expect.element(page.getByText(/till exempel AB-2026-0001/)).toBeVisible();
    await section('Offerter').getByRole('button', { name: 'Spara' }).click();
    await expect.element(page.getByText('Sparat')).toBeVisible();
    expect(api.sentTo(update)).toEqual([
      { settings: { defaultCurrency: 'SEK', vatRate: 12.5, quoteNumberPrefix: 'AB' } },
    ]);
  });

  test('name the field that is refused, and keep what was typed', async () => {
    const details = [{ field: 'settings.vatNumber', rule: 'vatNumber', message: '' }];
    const api = apiOfOrganization(signedInAs('admin')).on(
      update,
      new Refusal(400, 'VALIDATION_ERROR', { details }),
    );
    await open('/organization', api);
    const field = section('Company').getByLabelText('VAT number');
    await field.fill('SE1');
    await section('Company').getByRole('button', { name: 'Save' }).click();
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue('SE1');
    await expect.element(field).toHaveAccessibleDescription(/not a VAT number of that country/);
  });

  test('lose the address where every field is emptied', async () => {
    const api = apiOfOrganization(signedInAs('admin')).on(update, { organization: acme });
    await open('/organization', api);
    for (const name of ['Street or box', 'Postal code', 'City', 'VAT number']) {
      await page.getByLabelText(name, { exact: true }).fill('');
    }
    await page.getByLabelText('Country').selectOptions('');
    await section('Company').getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Saved')).toBeVisible();
    expect(api.sentTo(update)).toEqual([
      { name: 'Acme', settings: { timeZone: 'Europe/Stockholm', address: null, vatNumber: null } },
    ]);
  });
});

test('the head of the quotes follows what is typed, before it is saved', async () => {
  await open('/organization', apiOfOrganization(signedInAs('admin')));
  const paper = page.getByRole('figure', { name: 'The head of your quotes' });
  await expect.element(paper).toHaveTextContent(/Acme.*Storgatan 1.*111 22 Stockholm.*SE556012579001/);
  await page.getByLabelText('Name', { exact: true }).fill('Acme Måleri');
  await page.getByLabelText('Street or box').fill('Lilla Torget 2');
  await page.getByLabelText('Country').selectOptions('Norway');
  await expect.element(paper).toHaveTextContent(/Acme Måleri.*Lilla Torget 2.*Norway/);
});

describe('the parts of the settings', () => {
  const parts = page.getByRole('navigation', { name: 'Parts of the settings' });

  test('are pages of their own, of which a role has those that it may open', async () => {
    const { address, leave } = await open('/organization', apiOfOrganization(signedInAs('owner')));
    await expect
      .element(parts.getByRole('link', { name: 'Company' }))
      .toHaveAttribute('aria-current', 'page');
    await parts.getByRole('link', { name: 'Danger zone' }).click();
    await expect.poll(address).toBe('/organization/danger');
    await leave();
    await open('/organization', apiOfOrganization(signedInAs('member')));
    await expect.element(parts.getByRole('link', { name: 'Data' })).toBeVisible();
    expect(parts.getByRole('link').elements()).toHaveLength(3);
  });

  test('are left with a question where something is not saved', async () => {
    const { address } = await open('/organization', apiOfOrganization(signedInAs('owner')));
    await page.getByLabelText('City').fill('Göteborg');
    await parts.getByRole('link', { name: 'Quotes' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(address()).toBe('/organization');
    await expect.element(page.getByLabelText('City')).toHaveValue('Göteborg');
  });
});

describe('how leads may move', () => {
  const settings = 'PATCH /api/leads/settings';
  const leads = section('Leads');
  const lost = leads.getByLabelText('From New to Lost');
  const back = leads.getByLabelText('From Lost to Contacted');

  test('is a setting, chosen by keys', async () => {
    const api = apiOfOrganization(signedInAs('admin')).on(settings, () =>
      leadSettings(['lost-to-contacted'], 2),
    );
    await open('/organization/leads', api);
    await expect.element(lost).toBeChecked();
    (lost.element() as HTMLElement).focus();
    await userEvent.keyboard(' {Tab}{Tab} {Tab}{Tab}{Tab}{Enter}');
    await expect.element(page.getByText('Saved')).toBeVisible();
    expect(api.sentTo(settings)).toEqual([
      { furtherMoves: ['lost-to-contacted'], acceptedQuoteMovesLead: true },
    ]);
    await back.click();
    await leads.getByRole('button', { name: 'Save' }).click();
    const versions = () =>
      api.requests.filter(({ operation }) => operation === settings).map(({ ifMatch }) => ifMatch);
    await expect.poll(versions).toEqual(['"1"', '"2"']);
  });

  test('is shown as another admin has saved it meanwhile', async () => {
    let version = 1;
    const api = apiOfOrganization(signedInAs('admin'))
      .on('GET /api/leads/settings', () => leadSettings(version === 1 ? [] : ['lost-to-contacted'], version))
      .on(settings, () => {
        version = 2;
        return new Refusal(412, 'PRECONDITION_FAILED');
      });
    await open('/organization/leads', api);
    await lost.click();
    await leads.getByRole('button', { name: 'Save' }).click();
    await expect.element(leads.getByRole('alert')).toBeVisible();
    await expect.element(back).toBeChecked();
    await expect.element(lost).not.toBeChecked();
  });

  test('is told to members, who do not decide it', async () => {
    await open('/organization/leads', apiOfOrganization(signedInAs('member')));
    await expect.element(leads.getByText('From New to Lost')).toBeVisible();
    await expect.element(leads.getByText(/^An accepted quote moves its lead/)).toBeVisible();
    expect(leads.getByRole('checkbox').elements()).toEqual([]);
  });
});

describe('what is not saved', () => {
  const never = () => new Promise<never>(() => undefined);
  const apiOfBoth = () =>
    apiOfOrganization(signedInAs('admin')).on('GET /api/users', never).on(`GET ${invitations}`, never);
  // Where there is room, the ways to other pages are beside this one.
  beforeEach(() => page.viewport(1280, 800));
  const leave = () => page.getByRole('link', { name: 'People', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'You have unsaved changes' });

  test('is not lost by following a link: somebody is asked first, and may stay', async () => {
    const { address } = await open('/organization', apiOfBoth());
    await page.getByLabelText('City').fill('Göteborg');
    await leave();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect.element(page.getByLabelText('City')).toHaveValue('Göteborg');
    expect(address()).toBe('/organization');
    await leave();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await expect.poll(address).toBe('/people');
  });

  test('is what was typed since it was saved, or what was refused', async () => {
    const api = apiOfBoth().on(update, { organization: acme });
    const { address } = await open('/organization', api);
    const names = section('Company');
    await names.getByLabelText('Name', { exact: true }).fill('Acme & Co');
    await names.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Saved')).toBeVisible();
    api.on(update, new Refusal(403, 'FORBIDDEN'));
    // The same again would be taken for the second press of a double click.
    await names.getByLabelText('Name', { exact: true }).fill('Acme and Co');
    await names.getByRole('button', { name: 'Save' }).click();
    await expect.element(names.getByRole('alert')).toBeVisible();
    await leave();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    api.on(update, { organization: acme });
    await names.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Saved')).toBeVisible();
    await leave();
    await expect.poll(address).toBe('/people');
  });
});

test('a logo that is too large is made smaller before it is sent, and then shown', async () => {
  const sent: Blob[] = [];
  const api = apiOfOrganization(signedInAs('admin'))
    .on(`PUT ${logo}`, ({ body }) => {
      sent.push(body as Blob);
      return { logo: 'a-digest' };
    })
    .on(`GET ${logo}`, () => sent[0] ?? {});
  await open('/organization', api);
  const canvas = new OffscreenCanvas(4_000, 1_000);
  canvas.getContext('2d')?.fillRect(0, 0, 4_000, 1_000);
  const picture = await canvas.convertToBlob({ type: 'image/webp' });
  await page
    .getByLabelText('Choose a picture')
    .upload(new File([picture], 'logo.webp', { type: 'image/webp' }));
  await expect.element(page.getByRole('img', { name: 'Logo of Acme' })).toBeVisible();
  const { width, height } = await createImageBitmap(sent[0] ?? new Blob());
  expect([sent[0]?.type, width, height]).toEqual(['image/png', 1_200, 300]);
});

test('a logo that is an SVG is drawn as a PNG before it is sent', async () => {
  const sent: Blob[] = [];
  const api = apiOfOrganization(signedInAs('admin')).on(`PUT ${logo}`, ({ body }) => {
    sent.push(body as Blob);
    return { logo: 'a-digest' };
  });
  await open(
    '/organization',
    api.on(`GET ${logo}`, () => sent[0] ?? {}),
  );
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"><rect width="40" height="10"/></svg>';
  await page
    .getByLabelText('Choose a picture')
    .upload(new File([svg], 'logo.svg', { type: 'image/svg+xml' }));
  await expect.element(page.getByRole('img', { name: 'Logo of Acme' })).toBeVisible();
  const { width, height } = await createImageBitmap(sent[0] ?? new Blob());
  expect([sent[0]?.type, width, height]).toEqual(['image/png', 1_200, 300]);
});

test('a logo that is refused says why, since it has no field to say it beside', async () => {
  const refusal = { details: [{ field: 'body', rule: 'image', message: 'is a PNG that is not whole' }] };
  const api = apiOfOrganization(signedInAs('admin')).on(
    `PUT ${logo}`,
    new Refusal(400, 'VALIDATION_ERROR', refusal),
  );
  await open('/organization', api);
  const canvas = new OffscreenCanvas(4, 4);
  canvas.getContext('2d')?.fillRect(0, 0, 4, 4);
  const picture = await canvas.convertToBlob({ type: 'image/png' });
  await page
    .getByLabelText('Choose a picture')
    .upload(new File([picture], 'logo.png', { type: 'image/png' }));
  await expect.element(page.getByText(/^This picture cannot be used\./)).toBeVisible();
  await expect.element(page.getByText(/See below/)).not.toBeInTheDocument();
});

test('two-factor authentication is required only after saying who is kept out, and of oneself first', async () => {
  const api = apiOfOrganization(signedInAs('owner')).on(update, new Refusal(409, 'TWO_FACTOR_REQUIRED'));
  await open('/organization/security', api);
  await expect.element(section('Two-factor authentication').getByText('grace@example.com')).toBeVisible();
  await button('Require it of everyone').click();
  await expect
    .element(page.getByText('1 person without it loses access until they have set it up.'))
    .toBeVisible();
  await button('Require').click();
  await expect.element(page.getByRole('link', { name: 'Turn it on for your account' })).toBeVisible();
  expect(api.sentTo(update)).toEqual([{ settings: { requireTwoFactor: true } }]);
});

test('a session without an organization continues in the only one that is left', async () => {
  const globex = organization('Globex');
  const change = 'POST /api/auth/organization/switch';
  const api = apiOfOrganization(signedInAs('owner'))
    .on(`DELETE ${organizationPath}`, () => {
      api.start = { ...signedIn([globex]), organization: null, organizations: [globex] };
      return { purgeAt: '2026-12-24T12:00:00Z' };
    })
    .on(change, () => {
      api.start = signedIn([globex]);
      return {};
    });
  await open('/organization/danger', api);
  await page.getByLabelText('Type acme to confirm').fill('acme');
  await button('Delete organization').click();
  await expect.element(button('Organization: Globex')).toBeVisible();
  expect(api.sentTo(change)).toEqual([{ organizationId: globex.id }]);
});

test('the organization is deleted only by somebody who has typed its short name, and is left', async () => {
  const remove = `DELETE ${organizationPath}`;
  const api = apiOfOrganization(signedInAs('owner')).on(remove, () => {
    api.start = signedIn([organization('Globex')]);
    return { purgeAt: '2026-12-24T12:00:00Z' };
  });
  const { address } = await open('/organization/danger', api);
  await expect.element(button('Delete organization')).toBeDisabled();
  await page.getByLabelText('Type acme to confirm').fill(' Acme');
  await button('Delete organization').click();
  await expect.poll(address).toBe('/');
  expect(api.sentTo(remove)).toHaveLength(1);
});

test('the storage of each service is shown, with what to do near the small quota', async () => {
  const resend = 'POST /api/auth/email/resend';
  const api = apiOfOrganization(signedInAs('owner'))
    .on('GET /api/leads/usage', usage(0.95, false))
    .on(resend, { success: true });
  await open('/organization/data', api);
  const storage = section('Storage');
  await expect.element(storage.getByRole('meter', { name: 'Leads, in rows' })).toHaveValue(950_000);
  await expect
    .element(storage.getByRole('meter', { name: 'Quotes and customers, in megabytes' }))
    .toHaveAccessibleDescription('63.5 of 2,048 MB (3%)');
  expect(storage.getByText(/Nearly full.*an owner has confirmed/).elements()).toHaveLength(1);
  await storage.getByRole('button', { name: 'Send me the confirmation link again' }).click();
  await expect.element(storage.getByText(/ada@example.com/)).toBeVisible();
  expect(api.sentTo(resend)).toEqual([{ email: 'ada@example.com' }]);
});

test('the people of the organization are shown beside it, with what to do near their quota', async () => {
  const api = apiOfOrganization(signedInAs('admin')).on(`GET ${organizationPath}/usage`, peopleUsage(0.95));
  await open('/organization/data', api);
  const storage = section('Storage');
  await expect
    .element(storage.getByRole('meter', { name: 'Members and open invitations' }))
    .toHaveAccessibleDescription('9,500 of 10,000 (95%)');
  expect(storage.getByText(/Nearly full.*withdraw invitations/).elements()).toHaveLength(1);
});
