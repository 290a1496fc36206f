import type { ComposedMail } from '@tenantry/service/mail';
import type { WholeFieldNote } from '../field-notes/field-note.ts';

/** What a mailed field note says. */
export function composeFieldNoteMail({ title, organizationName }: WholeFieldNote): Omit<ComposedMail, 'to'> {
  const lines = [title, ...(organizationName === null ? [] : [organizationName])];
  return {
    subject: title,
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escaped(line)}</p>`).join('\n'),
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
