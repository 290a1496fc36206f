//#file mail
import type { Audit } from '@tenantry/business-service'; //#with audit
import type { Message, Outbox } from '@tenantry/outbox';
import type { MailTransport } from '@tenantry/outbox/mail';
import type { Context, Tenant } from '../database.ts';
import type { FieldNoteAction } from '../field-notes/field-note-actions.ts'; //#with audit
import type { FieldNotes } from '../field-notes/field-notes.ts';
import { composeFieldNoteMail } from './field-note-mail.ts';
import { mailedTooOften, mailsMax } from './sending.errors.ts';

/** Whom a field note is mailed to. */
export interface Letter {
  readonly recipientEmail: string;
}

/** What the outbox brings out. */
export type FieldNoteMessages = { readonly 'field-note-mail': Letter };

/** How field notes reach people. */
export interface Sending {
  /** Has a field note mailed, soon after this has been committed. */
  send(context: Context, sent: Letter & { readonly id: string }): Promise<{ id: string }>;
  /** Brings one mail out. */
  readonly deliver: (message: Message<Letter>, context: { readonly tenant: Tenant }) => Promise<undefined>;
}

/** What sending needs. */
export interface SendingOptions {
  readonly fieldNotes: Pick<FieldNotes, 'get'>;
  readonly outbox: Outbox<FieldNoteMessages>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly audit: Audit<FieldNoteAction>; //#with audit
}

const topic = 'field-note-mail';

export function createSending({ fieldNotes, outbox, transport/*#audit , audit*/ }: SendingOptions): Sending {
  return {
    send: ({ tenant/*#audit , actor*/ }, { id, recipientEmail }) =>
      tenant.transaction(async (tx) => {
        await fieldNotes.get(tx, id); //#with !audit
        const { title: name } = await fieldNotes.get(tx, id); //#with audit
        const mails = await outbox.list(tx, { topic, subjectId: id });
        if (mails.length >= mailsMax) throw mailedTooOften();
        //#with audit
        const target = { type: 'field-note', id, name };
        await audit.record(tx, { actor, action: 'field-note.sent', target });
        //#end
        return outbox.put(tx, { topic, subjectId: id, payload: { recipientEmail } });
      }),

    deliver: async ({ id, subjectId, payload: { recipientEmail } }, { tenant }) => {
      const fieldNote = await fieldNotes.get(tenant, subjectId);
      await transport.send(id, { to: recipientEmail, ...composeFieldNoteMail(fieldNote) });
      return undefined;
    },
  };
}
