import { clientSignal } from '@tenantry/service/failures';
import { ClosedObject } from '@tenantry/service/resources';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { CustomerLanguage } from '../customers/customers.schemas.ts';
import { askingOf } from '../quotes/quote-requests.http.ts';
import { languageFor, type Language } from '../wording/languages.ts';
import { answerTimeoutSeconds, type PdfAsked } from './pdfs.ts';

/** The language of a PDF. */
export const PdfQuery = ClosedObject({ language: Type.Optional(CustomerLanguage) });

/** The response with a PDF. */
export const pdfAnswer = (description: string) => ({
  description,
  content: { 'application/pdf': { schema: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }) } },
});

/** For whom a member's PDF is made, in the language that they ask for, or else their browser. */
export function pdfAskedBy(
  request: FastifyRequest,
  { language, reply }: { readonly language: Language | undefined; readonly reply: FastifyReply },
): PdfAsked & { readonly language: Language } {
  return {
    language: language ?? languageFor(request.headers['accept-language']),
    asking: askingOf(request),
    timeoutSeconds: answerTimeoutSeconds,
    signal: clientSignal(reply),
  };
}

/** Sends a PDF, which browsers show. */
export function sendPdf<Reply extends Pick<FastifyReply, 'header'>>(reply: Reply, filename: string): Reply {
  reply.header('content-type', 'application/pdf');
  reply.header('content-disposition', `inline; filename="${filename}"`);
  return reply;
}
