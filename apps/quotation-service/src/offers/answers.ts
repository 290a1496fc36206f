import { composed, isVisible, type PostedForm } from '@tenantry/service-kit';
import { answerLimits, type Problem } from './pages/answer-forms.ts';

/** The name that a customer signs with, or the problem with it. */
export function readName({ name: typed = '' }: PostedForm): string | Problem {
  const name = plain(typed).replace(/\s+/gu, ' ').trim();
  if (!isVisible(name)) return { field: 'name', kind: 'missing', typed };
  return name.length > answerLimits.name ? { field: 'name', kind: 'tooLong', typed } : name;
}

/** The optional reason of a rejection, or the problem with it. */
export function readReason({ reason: typed = '' }: PostedForm): string | Problem | undefined {
  const reason = plain(typed.replace(/\r\n?/g, '\n')).trim();
  if (!isVisible(reason)) return undefined;
  return reason.length > answerLimits.reason ? { field: 'reason', kind: 'tooLong', typed } : reason;
}

/** A text that can be stored: in Unicode's composed form, without control characters but line breaks. */
const plain = (text: string): string => composed(text.toWellFormed()).replace(/(?!\n)\p{Cc}/gu, ' ');
