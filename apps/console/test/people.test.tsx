import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { ada, apiOfPeople, grace, invitation, invitations, listed, members } from './support/people.ts';
import { signedInAs } from './support/starts.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');
const invite = `POST ${invitations}`;

describe('invitations', () => {
  test('that an import has prepared are sent by an owner [S-338]', async () => {
    const prepared = { ...invitation, isSent: false };
    const api = apiOfPeople(signedInAs('owner'), { invited: [prepared] }).on(invite, { invitation });
    await open('/people', api);
    await expect.element(page.getByText('imported, and not sent yet')).toBeVisible();
    await page.getByRole('button', { name: 'Send to alan@example.com', exact: true }).click();
    await expect.poll(() => api.sentTo(invite)).toEqual([{ email: prepared.email, role: prepared.role }]);
  });

  test('that an import has prepared are sent together; what was refused stays, with its reason [S-338]', async () => {
    const prepared = (name: string, role: (typeof invitation)['role']) => ({
      ...{ ...invitation, id: name, email: `${name}@example.com`, role },
      isSent: false,
    });
    const invited = [prepared('alan', 'member'), prepared('barbara', 'admin'), prepared('edsger', 'member')];
    const api = apiOfPeople(signedInAs('owner'), { invited: [...invited, invitation] });
    api.on(invite, ({ body }) => {
      const { email } = body as { email: string };
      if (email === 'barbara@example.com') return new Refusal(409, 'ALREADY_MEMBER');
      api.on(`GET ${invitations}`, {
        ...{ invitations: [{ ...invitation, isSent: true }, invited[1]], total: 2, page: 1, pageSize: 100 },
      });
      return { invitation };
    });
    await open('/people', api);
    await button('Send all 3').click();
    await expect.element(page.getByText('2 invitations are on their way.')).toBeVisible();
    await expect.element(page.getByText('barbara@example.com This person is already')).toBeVisible();
    expect(api.sentTo(invite)).toEqual(invited.map(({ email, role }) => ({ email, role })));
    await expect.element(button('Send all 3')).not.toBeInTheDocument();
    expect(document.activeElement).not.toBe(document.body);
  });

  test('go to several addresses together; one that is refused stays in the field, with its reason', async () => {
    const api = apiOfPeople(signedInAs('admin'), { invited: [] }).on(invite, ({ body }) =>
      (body as { email: string }).email === 'grace@example.com'
        ? new Refusal(409, 'ALREADY_MEMBER')
        : { invitation },
    );
    await open('/people', api);
    await button('Invite people').click();
    await dialog
      .getByLabelText('E-mail addresses')
      .fill('Alan <alan@example.com>, grace@example.com\nkatherine@example.com');
    await button('Invite 3 people').click();
    await expect.element(dialog.getByText('2 invitations are on their way.')).toBeVisible();
    await expect
      .element(dialog.getByText('This person is already a member of the organization.'))
      .toBeVisible();
    await expect.element(dialog.getByLabelText('E-mail addresses')).toHaveValue('grace@example.com');
    expect(api.sentTo(invite)).toEqual(
      ['alan@example.com', 'grace@example.com', 'katherine@example.com'].map((email) => ({
        email,
        role: 'member',
      })),
    );
  });

  test('are not mailed again to those who have one, and say of a wrong address what is wrong with it', async () => {
    const wrong = { details: [{ field: 'email', rule: 'format', message: 'for developers' }] };
    const api = apiOfPeople(signedInAs('admin')).on(invite, new Refusal(400, 'VALIDATION_ERROR', wrong));
    await open('/people', api);
    await button('Invite people').click();
    await dialog.getByLabelText('E-mail addresses').fill('Alan@example.com, bob');
    await button('Invite 2 people').click();
    await expect.element(dialog.getByText('Alan@example.com has an open invitation')).toBeVisible();
    await expect.element(dialog.getByText('bob This does not look right. Check it.')).toBeVisible();
    expect(dialog.getByText('Some fields are not valid').elements()).toEqual([]);
    expect(api.sentTo(invite)).toEqual([{ email: 'bob', role: 'member' }]);
  });

  test('are not mailed again to an international address, however its domain is written', async () => {
    const asked = { ...invitation, email: 'max@xn--mller-dach-9db.example' };
    const api = apiOfPeople(signedInAs('admin'), { invited: [asked] }).on(invite, { invitation });
    await open('/people', api);
    await button('Invite people').click();
    await dialog.getByLabelText('E-mail addresses').fill('Max@MÜLLER-dach.example, bob@example.com');
    await button('Invite 2 people').click();
    await expect.element(dialog.getByText('Max@MÜLLER-dach.example has an open invitation')).toBeVisible();
    expect(api.sentTo(invite)).toEqual([{ email: 'bob@example.com', role: 'member' }]);
  });

  test('close their dialog once all are on their way, and say so', async () => {
    await open('/people', apiOfPeople(signedInAs('admin'), { invited: [] }).on(invite, { invitation }));
    await button('Invite people').click();
    await dialog.getByLabelText('E-mail addresses').fill('alan@example.com');
    await button('Invite').click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByText('An invitation is on its way to alan@example.com.')).toBeVisible();
  });

  test('stop where the next one would be refused too, and keep the addresses that were not sent', async () => {
    const api = apiOfPeople(signedInAs('admin'), { invited: [] })
      .on(invite, new Refusal(403, 'EMAIL_NOT_VERIFIED'))
      .on('POST /api/auth/email/resend', { success: true });
    await open('/people', api);
    await button('Invite people').click();
    await dialog.getByLabelText('E-mail addresses').fill('alan@example.com bob@example.com');
    await button('Invite 2 people').click();
    await button('Send me the confirmation link again').click();
    await expect.element(dialog.getByText('A link is on its way to ada@example.com.')).toBeVisible();
    await expect
      .element(dialog.getByLabelText('E-mail addresses'))
      .toHaveValue('alan@example.com\nbob@example.com');
    expect(api.sentTo(invite)).toHaveLength(1);
  });

  test('are sent again with the same role, and withdrawn', async () => {
    const api = apiOfPeople(signedInAs('admin'));
    api.on(invite, { invitation });
    await open('/people', api);
    await button('Send again to alan@example.com').click();
    await expect.element(page.getByText('A new invitation is on its way to alan@example.com.')).toBeVisible();
    expect(api.sentTo(invite)).toEqual([{ email: 'alan@example.com', role: 'admin' }]);
    api.on(`DELETE ${invitations}/an-invitation`, () => {
      api.on(`GET ${invitations}`, { invitations: [], total: 0, page: 1, pageSize: 100 });
      return {};
    });
    await button('Withdraw the invitation to alan@example.com').click();
    await expect.element(page.getByRole('heading', { name: 'Open invitations' })).not.toBeInTheDocument();
  });
});

describe('a person', () => {
  test('is given another role, which the list shows immediately', async () => {
    const change = `PATCH ${members}/grace`;
    const member = {
      userId: 'grace',
      name: 'Grace Hopper',
      email: grace.email,
      role: 'admin',
      disabled: false,
    };
    const api = apiOfPeople(signedInAs('owner')).on(change, {
      member: { ...member, createdAt: grace.createdAt },
    });
    await open('/people', api);
    await button('Manage Grace Hopper').click();
    await dialog.getByLabelText('Role').selectOptions('Admin');
    await button('Change role').click();
    await expect.element(dialog.getByText('Grace Hopper now has the role Admin.')).toBeVisible();
    expect(api.sentTo(change)).toEqual([{ role: 'admin' }]);
    await button('Close').click();
    await expect
      .element(page.getByRole('row').filter({ hasText: 'Grace Hopper' }))
      .toHaveTextContent('Admin');
    await expect.element(button('Manage Grace Hopper')).toHaveFocus();
  });

  test('whose account belongs to other organizations cannot be disabled, and can be removed instead', async () => {
    const remove = 'DELETE /api/users/grace';
    const api = apiOfPeople(signedInAs('owner'))
      .on(`POST ${members}/grace/disable`, new Refusal(403, 'FORBIDDEN', { reason: 'ACCOUNT_SHARED' }))
      .on(remove, () => {
        api.on('GET /api/users', listed([ada]));
        return {};
      });
    await open('/people', api);
    await button('Manage Grace Hopper').click();
    await button('Disable account').click();
    await button('Disable').click();
    await button('Remove from this organization instead').click();
    await expect.element(page.getByText('Grace Hopper')).not.toBeInTheDocument();
    expect(api.sentTo(remove)).toHaveLength(1);
  });

  test('who is renamed meanwhile keeps what was typed', async () => {
    const changed = new Refusal(412, 'PRECONDITION_FAILED');
    await open('/people', apiOfPeople(signedInAs('admin')).on('PATCH /api/users/grace', changed));
    await button('Manage Grace Hopper').click();
    await dialog.getByLabelText('Last name').fill('Murray');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByText(/Someone else has changed this person/)).toBeVisible();
    await expect.element(dialog.getByLabelText('Last name')).toHaveValue('Murray');
  });

  test('who is the only owner cannot leave, and is told how', async () => {
    const leave = 'POST /api/auth/organization/id-of-Acme/leave';
    await open('/people', apiOfPeople(signedInAs('owner')).on(leave, new Refusal(409, 'LAST_OWNER')));
    await button('Manage Ada Lovelace').click();
    await button('Leave organization').click();
    await button('Leave').click();
    await expect.element(dialog.getByText(/transfer the ownership, or delete/)).toBeVisible();
    await expect.element(dialog.getByRole('link', { name: 'Go to the organization' })).toBeVisible();
  });
});

test('people are searched by the service, and what was searched for is in the address', async () => {
  const api = apiOfPeople(signedInAs('member'));
  const { address } = await open('/people', api);
  await expect.element(page.getByText('2 people')).toBeVisible();
  api.on('GET /api/users', listed([grace]));
  await page.getByLabelText('Search by name or address').fill('hop');
  await expect.element(page.getByText('1 person')).toBeVisible();
  expect(address()).toBe('/people?search=hop');
  expect(page.getByRole('button', { name: /Invite|Create|Manage Grace/ }).elements()).toEqual([]);
});
