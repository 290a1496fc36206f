import { base64url } from 'jose';
import { bodyTimeoutMs, lateAnswer, readBody, UnexpectedStatus, type GetOptions } from './http-get.ts';
import type { Platform } from './platform.ts';

const es256 = { name: 'ECDSA', hash: 'SHA-256' };
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Workers, Deno and edge runtimes: WebCrypto and fetch, and nothing that runs between requests. */
export const platform: Platform = {
  bytesOf: (text) => base64url.decode(text),
  bytesOfAscii: (text) => encoder.encode(text),
  textOf: (utf8) => decoder.decode(utf8),
  signatureCheck: (key) => (input, signature) => crypto.subtle.verify(es256, key, signature, input),
  getJson,
  hasBackground: false,
};

async function getJson(url: string, options: GetOptions): Promise<unknown> {
  const { timeoutMs, bodyBytesMax, headers, signal } = options;
  const late = new AbortController();
  const cut = (): void => late.abort(lateAnswer(url));
  let timer = setTimeout(cut, timeoutMs);
  try {
    const response = await fetch(url, {
      // A cache in between would delay the withdrawal of a key.
      headers: { accept: 'application/json', 'cache-control': 'no-cache', ...headers },
      redirect: 'manual',
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
    clearTimeout(timer);
    timer = setTimeout(cut, bodyTimeoutMs);
    const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
    if (response.status === 200) return JSON.parse(await readBody(url, body, bodyBytesMax));
    await response.body?.cancel();
    throw new UnexpectedStatus(url, response.status);
  } finally {
    clearTimeout(timer);
  }
}
