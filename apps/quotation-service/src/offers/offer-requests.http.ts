import type { Readable } from 'node:stream';
import { ApiError } from '@tenantry/envelope';
import { refusalIn } from '@tenantry/service/failures';
import type { PostedForm } from '@tenantry/service/http';
import { composed, isVisible } from '@tenantry/text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageFor, type Language } from '../wording/languages.ts';
import { decisionLimits, type Problem } from './pages/decision-forms.ts';
import { unavailablePage, unknownLinkPage } from './pages/notice-page.ts';
import { pageHeaders } from './pages/page.ts';

const unsupportedMediaType = 415;

/** The posted form; empty if there is none. */
export const formOf = ({ body }: FastifyRequest): PostedForm => (body as PostedForm | undefined) ?? {};

/** The token of the link: in the query of a page, or in the posted form. */
export function tokenOf(request: FastifyRequest): string {
  const given =
    request.method === 'POST' ? formOf(request) : (request.query as Readonly<Record<string, unknown>>);
  return typeof given['token'] === 'string' ? given['token'] : '';
}

/** The name that a customer signs with, or the problem with it. */
export function readName({ name: typed = '' }: PostedForm): string | Problem {
  const name = plain(typed).replace(/\s+/gu, ' ').trim();
  if (!isVisible(name)) return { field: 'name', kind: 'missing', typed };
  return name.length > decisionLimits.name ? { field: 'name', kind: 'tooLong', typed } : name;
}

/** The optional reason of a rejection, or the problem with it. */
export function readReason({ reason: typed = '' }: PostedForm): string | Problem | undefined {
  const reason = plain(typed.replace(/\r\n?/g, '\n')).trim();
  if (!isVisible(reason)) return undefined;
  return reason.length > decisionLimits.reason ? { field: 'reason', kind: 'tooLong', typed } : reason;
}

/** A text that can be stored: in Unicode's composed form, without control characters but line breaks. */
const plain = (text: string): string => composed(text.toWellFormed()).replace(/(?!\n)\p{Cc}/gu, ' ');

/** The language preferred by the browser. */
export const languageOf = ({ headers }: FastifyRequest): Language => languageFor(headers['accept-language']);

/**
 * Whether a person's browser shows the page (W3C Fetch Metadata): link checkers send no Sec-Fetch-Dest, and prefetching
 * browsers say so. A checker that runs a whole browser cannot be distinguished.
 */
export const isByPerson = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  headers['sec-purpose'] === undefined &&
  !/bot\b|headless|crawl|preview|scan/i.test(headers['user-agent'] ?? '');

export const sendPage = (reply: FastifyReply, status: number, html: string | Readable): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(html);

/** Customers get a page for every error; programs, which send no form, get the usual response. */
export function sendFailurePage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode, headers = {} } = refusalIn(error, request);
  if (statusCode === unsupportedMediaType) throw error;
  const language = languageOf(request);
  if (statusCode === 429) return sendPage(reply.headers(headers), 429, unavailablePage(language));
  if (statusCode < 500) return sendPage(reply, statusCode, unknownLinkPage(language));
  if (!(error instanceof ApiError)) request.log.error({ err: error }, 'a page could not be shown');
  return sendPage(reply.header('retry-after', '5'), 503, unavailablePage(language));
}
