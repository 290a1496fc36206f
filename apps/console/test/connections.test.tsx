import type { api } from '@tenantry/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  apiOfConnections,
  complete,
  connectionsPath,
  directoryWith,
  groupsPath,
  draft,
  samlDraft,
  scimToken,
  tokensPath,
} from './support/connections.ts';
import { Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';

const path = '/organization/access';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const label = (name: string) => page.getByLabelText(name, { exact: true });
const heading = (name: RegExp) => page.getByRole('heading', { name, level: 2 });
const update = `PATCH ${connectionsPath}/a-connection`;

describe('single sign-on', () => {
  test('is set up by keyboard in four steps: copy our values, paste theirs, test, turn on', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => write.mockRestore());
    let connection = draft;
    const api = apiOfConnections([])
      .on(`POST ${connectionsPath}`, { connection: draft })
      .on(`POST ${connectionsPath}/a-connection/test`, {
        test: {
          issuer: 'https://acme.okta.com',
          authorizationEndpoint: 'https://acme.okta.com/a',
          signingKeys: 2,
        },
      })
      .on(update, ({ body }) => {
        const { clientSecret, ...changes } = body as { clientSecret?: string };
        connection = {
          ...connection,
          ...changes,
          hasSecret: connection.hasSecret || clientSecret !== undefined,
        };
        return { connection };
      });
    await open(path, api);
    await button('Okta').click();
    await expect.element(heading(/Single sign-on: Okta Off/)).toHaveFocus();
    expect(api.sentTo(`POST ${connectionsPath}`)).toEqual([{ kind: 'okta', name: 'Okta' }]);
    await expect.element(button('Test')).toBeDisabled();
    await expect.element(button('Turn on')).toBeDisabled();

    await userEvent.tab();
    await expect.element(button('Copy address')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => write.mock.calls.flat()).toEqual([draft.redirectUri]);
    await label('Issuer').fill('https://acme.okta.com ');
    await label('Client id').fill('a-client');
    await label('Client secret').fill('a secret');
    await label('It asks everybody for a second factor').click();
    await label('Client secret').click();
    await userEvent.keyboard('{Enter}');
    await expect.element(label('Client secret')).toHaveValue('');
    await expect.element(button('Save')).toHaveFocus();
    await expect.element(label('Client secret')).toHaveAccessibleDescription(/A secret is stored/);

    await button('Test').click();
    await expect
      .element(page.getByText('https://acme.okta.com answers as it should, and signs with 2 keys.'))
      .toBeVisible();
    await expect.element(page.getByText(/^It is off. Nobody loses access/)).toBeVisible();
    await button('Turn on').click();
    await expect.element(heading(/Okta On/)).toBeVisible();
    await expect.element(page.getByText('It is on. Nobody has signed in by it yet.')).toHaveFocus();
    expect(api.sentTo(update)).toEqual([
      {
        ...{ issuer: 'https://acme.okta.com', clientId: 'a-client', clientSecret: 'a secret' },
        provesSecondFactor: true,
      },
      { enabled: true },
    ]);
    expect(document.documentElement.innerHTML).not.toContain('a secret');
  });

  test('takes the metadata of SAML by its address, or as a file that is dropped', async () => {
    let connection: api.Connection = samlDraft;
    const fake = apiOfConnections([connection]).on(update, ({ body }) => {
      const { saml } = body as { saml: object };
      const metadataUrl = 'metadataUrl' in saml ? String(saml.metadataUrl) : null;
      const readAt = new Date(fake.sentTo(update).length * 1_000).toISOString();
      const known = {
        ...samlDraft.saml,
        metadataUrl,
        readAt,
        ssoUrl: 'https://idp.acme.com/sso',
        certificates,
      };
      connection = { ...connection, issuer: 'https://idp.acme.com/', saml: known };
      return { connection };
    });
    await open(path, fake);
    await expect.element(page.getByText(samlDraft.saml.entityId)).toBeVisible();
    await expect.element(button('Turn on')).toBeDisabled();
    await label('Metadata').fill('https://idp.acme.com/metadata ');
    await button('Save').click();
    await expect.element(page.getByText('https://idp.acme.com/sso')).toBeVisible();
    await expect.element(page.getByText(/^Certificate CN=acme, until .*2027/)).toBeVisible();
    await expect.element(button('Turn on')).toBeEnabled();

    const data = new DataTransfer();
    data.items.add(new File(['<EntityDescriptor/>'], 'metadata.xml', { type: 'text/xml' }));
    const dropped = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data });
    label('Metadata').element().dispatchEvent(dropped);
    await expect.element(label('Metadata')).toHaveValue('<EntityDescriptor/>');
    await button('Save').click();
    await expect
      .poll(() => fake.sentTo(update))
      .toEqual([
        { saml: { metadataUrl: 'https://idp.acme.com/metadata' } },
        { saml: { metadata: '<EntityDescriptor/>' } },
      ]);
  });

  test('takes the values of SAML one by one, by keyboard alone, and says which of them is wrong', async () => {
    const finding = (field: string) => ({ field: `saml.${field}`, rule: 'valid', message: '' });
    let wrong = ['entityId', 'ssoUrl', 'certificates'];
    const known = {
      ...{ ...samlDraft.saml, ssoUrl: 'https://idp.acme.com/sso', certificates },
      readAt: '2026-11-29T12:00:00Z',
    };
    const fake = apiOfConnections([samlDraft]).on(update, () =>
      wrong.length > 0
        ? new Refusal(400, 'VALIDATION_ERROR', { details: wrong.map(finding) })
        : { connection: { ...samlDraft, issuer: 'https://idp.acme.com/', saml: known } },
    );
    await open(path, fake);
    await expect.element(label('Metadata')).toBeVisible();
    (page.getByRole('radio', { name: 'By its metadata' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}{Tab}');
    await expect.element(label('Entity id of the identity provider')).toHaveFocus();
    await userEvent.keyboard('acme{Tab}sso{Tab}hello');
    await expect.element(label('Signing certificate')).toHaveValue('hello');
    await button('Save').click();
    const alerts = () =>
      page.getByText(/^(?:An entity id is|This has to be|This is not a certificate)/).elements();
    await expect.poll(alerts).toHaveLength(3);
    await expect.element(label('Entity id of the identity provider')).toHaveFocus();
    expect(page.getByRole('alert').elements()).toEqual([]);

    wrong = ['certificates[1]'];
    await button('Add another certificate').click();
    await expect.element(label('Signing certificate 2')).toHaveFocus();
    await userEvent.keyboard('other');
    await button('Save').click();
    await expect.poll(alerts).toHaveLength(1);
    await expect.element(label('Signing certificate 2')).toHaveFocus();

    wrong = [];
    await button('Save').click();
    await expect.element(page.getByText(/^Certificate CN=acme, until .*2027/)).toBeVisible();
    const given = { entityId: 'acme', ssoUrl: 'sso', certificates: ['hello'] };
    const twice = { saml: { ...given, certificates: ['hello', 'other'] } };
    expect(fake.sentTo(update)).toEqual([{ saml: given }, twice, twice]);
  });

  test('keeps its secret where only something else is changed', async () => {
    const api = apiOfConnections([complete]).on(update, { connection: complete });
    await open(path, api);
    await label('Client id').fill('another-client');
    await button('Save').click();
    await expect.poll(() => api.sentTo(update)).toEqual([{ clientId: 'another-client' }]);
  });

  test('is turned off after it was said who loses access', async () => {
    const api = apiOfConnections([{ ...complete, enabled: true, people: 3 }]).on(update, {
      connection: complete,
    });
    await open(path, api);
    await expect.element(page.getByText('It is on. 3 members have signed in by it.')).toBeVisible();
    await button('Turn off').click();
    await expect.element(page.getByText(/signed out at once: 3 members use it/)).toHaveFocus();
    expect(api.sentTo(update)).toEqual([]);
    await button('Turn off').click();
    await expect.element(heading(/Okta Off/)).toBeVisible();
    await expect.element(page.getByText(/^It is off./)).toHaveFocus();
    expect(api.sentTo(update)).toEqual([{ enabled: false }]);
  });

  test.each([
    ['DOMAIN_NOT_VERIFIED', 'NO_DOMAIN', /Prove a domain of your organization first/],
    ['CONFLICT', 'SECOND_FACTOR_UNDECLARED', /./],
  ] as const)('that cannot be turned on says why: %s', async (code, reason, said) => {
    await open(path, apiOfConnections([complete]).on(update, new Refusal(409, code, { reason })));
    await button('Turn on').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(said);
  });

  test('is deleted after it was said what ends; the focus is where the next one begins', async () => {
    const api = apiOfConnections([complete]).on(`DELETE ${connectionsPath}/a-connection`, {});
    await open(path, api);
    await button('Delete connection').click();
    await button('Delete connection').click();
    await expect.element(button('Okta')).toHaveFocus();
  });

  test('lets an owner link their own account, and unlink it', async () => {
    const on = { ...complete, enabled: true };
    const url = 'https://acme.okta.com/authorize';
    const api = apiOfConnections([on]).on(`POST ${connectionsPath}/a-connection/link`, {
      url,
      expiresAt: '2026-11-30T12:00:00Z',
    });
    const { documents } = await open(path, api);
    await button('Link my account').click();
    await expect.poll(() => documents).toEqual([url]);
    const search =
      'for=organization-link&organization=id-of-Acme&connection=a-connection&next=%2Forganization%2Faccess';
    const redirectTo = `https://app.example.com/sign-in/return?${search}`;
    expect(api.sentTo(`POST ${connectionsPath}/a-connection/link`)).toEqual([{ redirectTo }]);
  });

  test('links what the identity provider has led back with, and shows it', async () => {
    let isLinked = false;
    const api = apiOfConnections([])
      .on(`GET ${connectionsPath}`, () => ({ connections: [{ ...complete, enabled: true, isLinked }] }))
      .on(`POST ${connectionsPath}/a-connection/identity`, () => {
        isLinked = true;
        return { connection: { ...complete, enabled: true, isLinked } };
      });
    const search =
      'for=organization-link&organization=id-of-Acme&connection=a-connection&next=%2Forganization%2Faccess';
    await open(`/sign-in/return?${search}#ticket=a-ticket`, api);
    await expect.element(button('Unlink my account')).toBeVisible();
    expect(api.sentTo(`POST ${connectionsPath}/a-connection/identity`)).toEqual([{ ticket: 'a-ticket' }]);

    api.on(`DELETE ${connectionsPath}/a-connection/identity`, () => {
      isLinked = false;
      return {};
    });
    await button('Unlink my account').click();
    await button('Unlink my account').click();
    await expect.element(page.getByText(/^Single sign-on lets no owner in/)).toHaveFocus();
    await expect.element(button('Link my account')).toBeVisible();
  });
});

const certificates = [{ fingerprint: 'AB:CD', subject: 'CN=acme', endsAt: '2027-05-01T12:00:00Z' }];
describe('the directory behind a connection', () => {
  const token = `tsc_${'x'.repeat(86)}`;
  const made = { ...scimToken, id: 'another', ending: 'xxxx', lastUsedAt: null };

  test('is given an address and a token, by keyboard; the token is shown once', async () => {
    const api = apiOfConnections([draft]).on(`POST ${tokensPath}`, { token, scimToken: made });
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => write.mockRestore());
    await open(path, api);
    await expect.element(page.getByText('It has no token yet: it can do nothing.')).toBeVisible();
    await expect.element(page.getByText('It manages nobody yet.')).toBeVisible();
    const copy = button('Copy directory address');
    await copy.click();
    await userEvent.tab();
    await expect.element(button('New token')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const dialog = page.getByRole('dialog');
    await expect.element(dialog.getByRole('textbox', { name: 'Token' })).toHaveValue(token);
    await expect.element(dialog.getByRole('button', { name: 'Copy token' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByText(/^You have not copied the token/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep it open' }).click();
    await dialog.getByRole('button', { name: 'Copy token' }).click();
    await expect.poll(() => write.mock.calls.flat()).toEqual([directoryWith().address, token]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.element(button('New token')).toHaveFocus();
    await expect.element(page.getByText('Token that ends in xxxx')).toBeVisible();
    await expect.element(page.getByText(/Never used$/)).toBeVisible();
    expect(document.documentElement.innerHTML).not.toContain(token);
    expect(api.sentTo(`POST ${tokensPath}`)).toEqual([{}]);
  });

  test('has two tokens at most; one is deleted after it was said what ends', async () => {
    const api = apiOfConnections([draft], directoryWith(scimToken, made)).on(
      `DELETE ${tokensPath}/a-token`,
      {},
    );
    await open(path, api);
    await expect.element(page.getByText('It manages 12 people, those who have left included.')).toBeVisible();
    await expect.element(page.getByText(/^This directory has two tokens/)).toBeVisible();
    await expect.element(page.getByText(/Last used/)).toBeVisible();
    await button('Delete …x7Qf').click();
    await expect.element(page.getByText(/The directory can do nothing with it/)).toHaveFocus();
    await button('Delete token').click();
    await expect.element(page.getByRole('heading', { name: 'Tokens of the directory' })).toHaveFocus();
    await expect.element(page.getByText('Token that ends in x7Qf')).not.toBeInTheDocument();
    await expect.element(button('New token')).toBeVisible();
  });

  test('gives its groups roles; those without one are shown when asked for', async () => {
    const groups = Array.from({ length: 12 }, (_, n) => ({
      ...{ id: `group-${n}`, displayName: `Group ${n}`, role: null, people: n },
    }));
    const last = { ...groups[11], role: 'member' };
    const api = apiOfConnections([draft], directoryWith(scimToken))
      .on(`GET ${groupsPath}`, { groups: [...groups.slice(0, 11), last] })
      .on(`PATCH ${groupsPath}/group-1`, { group: { ...groups[1], role: 'admin' } })
      .on(`PATCH ${groupsPath}/group-2`, new Refusal(409, 'CONFLICT', { reason: 'TOO_MANY_ROLES' }));
    await open(path, api);
    const select = (name: string) => page.getByRole('combobox', { name, exact: true });
    await expect.element(select('Group 11')).toHaveValue('member');
    await expect.element(select('Group 10')).not.toBeInTheDocument();
    await button('Show 1 more').click();
    await expect.element(select('Group 10')).toHaveValue('none');
    await select('Group 1').selectOptions('Admins');
    await expect.element(page.getByText('Group 1: Admins.')).toBeVisible();
    await expect.element(select('Group 1')).toHaveValue('admin');
    expect(api.sentTo(`PATCH ${groupsPath}/group-1`)).toEqual([{ role: 'admin' }]);
    await select('Group 2').selectOptions('Admins');
    await expect.element(page.getByRole('alert')).toHaveTextContent(/smaller group/);
    await expect.element(select('Group 2')).toHaveValue('none');
  });

  test('says why it gets no token', async () => {
    const refusal = new Refusal(409, 'QUOTA_EXCEEDED', { reason: 'DIRECTORY_TOKENS' });
    await open(path, apiOfConnections([draft]).on(`POST ${tokensPath}`, refusal));
    await button('New token').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(/two tokens/);
  });
});
