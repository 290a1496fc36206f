import { createMailTransport } from '@tenantry/service/mail';
import type { Transaction } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import { AddresseesRepository } from './addressees.repository.ts';
import { MailBudget } from './budget/mail-budget.ts';
import { sweepMailBudgets } from './budget/mail-budget.repository.ts';
import { MailWorker } from './mail-worker.ts';
import { sweepMailedTokens } from './mailed-tokens/mailed-tokens.repository.ts';
import { MailedTokens } from './mailed-tokens/mailed-tokens.ts';
import { Outbox } from './outbox.ts';
import { OutboxRepository, sweepMail } from './outbox.repository.ts';
import { createTemplates } from './templates.ts';

const repository = new OutboxRepository();

/** Composes the wing. */
export function createMail(ground: Ground) {
  const { config, database } = ground;
  const mailedTokens = new MailedTokens(ground);
  const worker = new MailWorker({
    ...ground,
    compose: createTemplates({ authUrl: config.AUTH_URL, frontendUrl: config.FRONTEND_URL }),
    transport: createMailTransport({
      smtpUrl: config.SMTP_URL,
      directory: config.MAIL_DIRECTORY,
      from: config.MAIL_FROM,
      concurrency: 2,
    }),
  });
  const addressees = new AddresseesRepository();
  return {
    outbox: new Outbox({ ...ground, addressees, budget: new MailBudget(ground) }),
    mailedTokens,
    addressees,
    background: {
      work: [worker],
      wakes: { mail_outbox: () => worker.wake() },
      sweeps: {
        mail: () => sweepMail(database.unscoped),
        mailBudgets: () => sweepMailBudgets(database.unscoped),
        mailedTokens: () => sweepMailedTokens(database.unscoped),
      },
    },
  };
}

/** Mail, and the tokens in it. */
export type Mail = ReturnType<typeof createMail>;

/** Deletes letters to an address that no longer has an account: all, or all but invitations, which are for its owner. */
export async function forgetMail(
  tx: Transaction,
  recipient: string,
  which: 'all' | 'of the account',
): Promise<void> {
  await repository.deleteTo(tx, recipient, which === 'all' ? null : 'invitation');
}
