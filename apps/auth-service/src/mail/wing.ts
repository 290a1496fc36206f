import { createMailTransport } from '@tenantry/outbox/mail';
import type { Transaction } from '../database.ts';
import type { Background, Ground } from '../ground/index.ts';
import { AddresseesRepository } from './addressees.repository.ts';
import { MailBudget } from './budget/mail-budget.ts';
import { sweepMailBudgets } from './budget/mail-budget.repository.ts';
import { MailWorker } from './mail-worker.ts';
import { MailedTokens } from './mailed-tokens/mailed-tokens.ts';
import { Outbox } from './outbox.ts';
import { OutboxRepository } from './outbox.repository.ts';
import { createTemplates } from './templates.ts';

/** Mail, and the tokens in it. */
export interface Mail {
  readonly outbox: Outbox;
  readonly mailedTokens: MailedTokens;
  readonly addressees: AddresseesRepository;
  readonly background: Background;
}

const repository = new OutboxRepository();

/** Composes the wing. */
export function createMail(ground: Ground): Mail {
  const { config, database } = ground;
  const mailedTokens = new MailedTokens(ground);
  const worker = new MailWorker({
    ...ground,
    repository,
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
    outbox: new Outbox({ ...ground, repository, addressees, budget: new MailBudget(ground) }),
    mailedTokens,
    addressees,
    background: {
      work: [worker],
      wakes: { mail_outbox: () => worker.wake() },
      sweeps: {
        mail: () => repository.sweep(database.unscoped),
        mailBudgets: () => sweepMailBudgets(database.unscoped),
        mailedTokens: () => mailedTokens.sweep(),
      },
    },
  };
}

/** Deletes the letters to an address that no account has any more. */
export async function forgetMail(tx: Transaction, recipient: string): Promise<void> {
  await repository.deleteTo(tx, recipient, null);
}

/** Deletes the letters about an account, but not invitations to its address. */
export async function forgetAccountMail(tx: Transaction, recipient: string): Promise<void> {
  await repository.deleteTo(tx, recipient, 'invitation');
}
