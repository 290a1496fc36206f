import { isUtf8 } from 'node:buffer';
import { KeyObject, verify } from 'node:crypto';
import { getJson } from './node-http.ts';
import type { Platform } from './platform.ts';

const numberBytes = 32;
const derSignatureBytesMax = 2 * numberBytes + 8;

/** Node.js: signatures are checked by node:crypto, synchronously. */
export const platform: Platform = {
  bytesOf: (base64url) => Buffer.from(base64url, 'base64url'),
  bytesOfAscii: (text) => Buffer.from(text, 'latin1'),
  textOf(utf8) {
    if (!isUtf8(utf8)) throw new SyntaxError('not UTF-8');
    return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString();
  },
  signatureCheck(cryptoKey) {
    const key = KeyObject.from(cryptoKey);
    return (input, signature) =>
      // Synchronous on purpose: handing the check to another thread costs half as much again as the check.
      verify('sha256', input, key, derSignature(signature));
  },
  getJson,
  hasBackground: true,
};

/**
 * The two numbers of a JWS signature as the DER sequence OpenSSL works with (RFC 3279 section 2.2.3).
 * node:crypto converts too (`dsaEncoding`), but asks the key for its curve each time, which takes half as
 * long as the check itself.
 */
function derSignature(signature: Uint8Array): Buffer {
  const der = Buffer.allocUnsafe(derSignatureBytesMax);
  const endOfR = writeDerInteger(der, 2, signature.subarray(0, numberBytes));
  const end = writeDerInteger(der, endOfR, signature.subarray(numberBytes));
  der[0] = 0x30;
  der[1] = end - 2;
  return der.subarray(0, end);
}

/** Writes an unsigned number: no needless zeros in front, but one where it would read as negative. */
function writeDerInteger(der: Buffer, at: number, unsigned: Uint8Array): number {
  let first = 0;
  while (first < numberBytes - 1 && unsigned[first] === 0) first++;
  const sign = (unsigned[first] ?? 0) >= 0x80 ? 1 : 0;
  const length = sign + numberBytes - first;
  der[at] = 0x02;
  der[at + 1] = length;
  der[at + 2] = 0;
  der.set(unsigned.subarray(first), at + 2 + sign);
  return at + 2 + length;
}
