//#file mail
import type { ComposedMail } from '@tenantry/outbox/mail';
import type { FieldNote } from '../field-notes/field-note.ts'; //#with !events
import type { WholeFieldNote } from '../field-notes/field-note.ts'; //#with events

/** What a mailed field note says. */
export function composeFieldNoteMail({ title }: FieldNote): Omit<ComposedMail, 'to'> { //#with !events
export function composeFieldNoteMail({ title, organizationName }: WholeFieldNote): Omit<ComposedMail, 'to'> { //#with events
  const lines = [title]; //#with !events
  const lines = [title, ...(organizationName === null ? [] : [organizationName])]; //#with events
  return {
    subject: title,
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escaped(line)}</p>`).join('\n'),
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
