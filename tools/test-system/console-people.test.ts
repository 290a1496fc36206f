import { afterAll, beforeAll, describe, it } from 'vitest';
import { ConsoleStack, hasBrowser, press } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import { newEmail, newPassword, type Tenant } from './matrix/people.ts';

// How a team comes together in the console, with the real services.

describe.skipIf(!hasBrowser)('a team in the console', () => {
  let stack: ConsoleStack;
  let team: Tenant;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
    team = await stack.api.newTenant();
  });
  afterAll(() => stack.stop());

  it('invites, joins, gets a role, and all of it is published', async () => {
    const [owner, people] = await stack.signedIn(team.owner, '/people');
    await heading(people, 'People');
    const newcomer = { email: newEmail(), password: newPassword() };
    await press(people, 'Invite people');
    await people.getByLabel('E-mail addresses').fill(`New Comer <${newcomer.email}>`);
    await press(people, 'Invite');
    await people.getByText(`An invitation is on its way to ${newcomer.email}.`).waitFor();
    await heading(people, 'Open invitations');

    const visitor = await stack.visitor();
    const token = await stack.api.mailed(newcomer.email, 'accept-invitation');
    const join = await visitor.open(`/accept-invitation#token=${token}`);
    await join.getByRole('link', { name: 'Create an account' }).click();
    await join.getByLabel('Your name').fill('New Comer');
    await join.getByLabel('Password', { exact: true }).fill(newcomer.password);
    await press(join, 'Create account');
    await heading(join, 'Welcome, New Comer');
    await expectNothingElse(visitor);

    await people.reload();
    await press(people, 'Manage New Comer');
    const dialog = people.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('Admin');
    await press(people, 'Change role');
    await dialog.getByText('New Comer now has the role Admin.').waitFor();
    await press(people, 'Close');
    await people.goto(`${stack.origin}/activity`);
    await people.getByText('Robin made New Comer an admin').waitFor();
    await people.getByText('New Comer accepted an invitation as a member').waitFor();
    await expectNothingElse(owner);
  });

  it.each(['owner', 'admin', 'member'] as const)('is managed as %s without a refusal', async (role) => {
    const [visitor, page] = await stack.signedIn(team[role], '/people');
    await heading(page, 'People');
    const manage = page.getByRole('button', { name: /^Manage/ });
    await manage.first().waitFor();
    for (let at = 0; at < (await manage.count()); at += 1) {
      await manage.nth(at).click();
      await page.getByRole('dialog').waitFor();
      await page.waitForLoadState('networkidle');
      await page.keyboard.press('Escape');
    }
    await expectNothingElse(visitor);
  });
});
