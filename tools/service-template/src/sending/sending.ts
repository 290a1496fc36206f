import type { Audit } from '@tenantry/service/audit';
import type { MailTransport } from '@tenantry/service/mail';
import type { Message, Outbox } from '@tenantry/service/work';
import type { Context, Tenant } from '../database.ts';
import type { FieldNoteAction } from '../field-notes/field-note-actions.ts';
import type { FieldNotes } from '../field-notes/field-notes.ts';
import { composeFieldNoteMail } from './field-note-mail.ts';
import { mailedTooOften, mailsMax } from './sending.errors.ts';

/** Whom a field note is mailed to. */
export interface Letter {
  readonly recipientEmail: string;
}

/** What the outbox brings out. */
export type FieldNoteMessages = { readonly 'field-note-mail': Letter };

/** What sending needs. */
export interface SendingOptions {
  readonly fieldNotes: Pick<FieldNotes, 'get'>;
  readonly outbox: Outbox<FieldNoteMessages>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly audit: Audit<FieldNoteAction>;
}

const topic = 'field-note-mail';

/** How field notes reach people. */
export class Sending {
  readonly #options: SendingOptions;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /** Has a field note mailed, soon after this has been committed. */
  send(
    { tenant, actor }: Context,
    { id, recipientEmail }: Letter & { readonly id: string },
  ): Promise<{ id: string }> {
    const { fieldNotes, outbox, audit } = this.#options;
    return tenant.transaction(async (tx) => {
      const { title: name } = await fieldNotes.get(tx, id);
      const mails = await outbox.list(tx, { topic, subjectId: id });
      if (mails.length >= mailsMax) throw mailedTooOften();
      const target = { type: 'field-note', id, name };
      await audit.record(tx, { actor, action: 'field-note.sent', target });
      return outbox.put(tx, { topic, subjectId: id, payload: { recipientEmail } });
    });
  }

  /** Brings one mail out. */
  async deliver(
    { id, subjectId, payload: { recipientEmail } }: Message<Letter>,
    { tenant }: { readonly tenant: Tenant },
  ): Promise<undefined> {
    const { fieldNotes, transport } = this.#options;
    const fieldNote = await fieldNotes.get(tenant, subjectId);
    await transport.send(id, { to: recipientEmail, ...composeFieldNoteMail(fieldNote) });
    return undefined;
  }
}
