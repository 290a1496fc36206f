import type { CryptoKey } from 'jose';
import type { GetOptions } from './http-get.ts';

/** Returns whether a signature, the two numbers of a JWS in 64 bytes, is the key's own over these bytes. */
export type SignatureCheck = (input: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>;

/** What verification needs of the runtime: node:crypto and node:http, or WebCrypto and fetch. */
export interface Platform {
  /** Decodes base64url whose alphabet and ending have been checked. */
  readonly bytesOf: (base64url: string) => Uint8Array;
  readonly bytesOfAscii: (text: string) => Uint8Array;
  /** Decodes UTF-8 without dropping anything, or throws. */
  readonly textOf: (utf8: Uint8Array) => string;
  /** Prepares an ES256 key. */
  readonly signatureCheck: (key: CryptoKey) => SignatureCheck;
  /** GETs a JSON document from exactly this address: no redirect is followed. */
  readonly getJson: (url: string, options: GetOptions) => Promise<unknown>;
  /** Whether timers and requests may run while no request is being answered. */
  readonly hasBackground: boolean;
}

/** A timer that does not keep a process alive, where a runtime has processes. */
export function later(delayMs: number, run: () => void): ReturnType<typeof setTimeout> {
  const timer: Partial<NodeJS.Timeout> = setTimeout(run, delayMs);
  timer.unref?.();
  return timer as NodeJS.Timeout;
}
