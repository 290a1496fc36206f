import { ADDRCONFIG, lookup as systemLookup, promises, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { inSpan } from '@tenantry/tracing';
import { refuseInTransaction } from '@tenantry/tenancy/network';
import { Agent, fetch } from 'undici';
import { readAtMost } from '../calls/calls.ts';
import { isPublicAddress } from './public-addresses.ts';

/** What {@link GuardedCalls.call} sends. */
export interface GuardedRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | URLSearchParams | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An address that is not called: it is not https, has another port than 443 or a password, or is not public. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/** What {@link GuardedCalls} may be given. */
export interface GuardedOptions {
  /** Origins on this machine that may be called, also by http and at other ports: for development and tests. */
  readonly loopbackOrigins?: readonly string[];
  /** The IPv4 and IPv6 addresses of a name. Default: as the name servers say, so that no file of this machine counts. */
  readonly addressesOf?: (hostname: string) => Promise<readonly string[]>;
  /** Default: 5 seconds, for the whole exchange. */
  readonly timeoutMs?: number;
}

const bytesMax = 256 * 1_024;
const headerBytesMax = 16 * 1_024;

/**
 * The one way to call servers that customers name. An address of a private network is refused whatever leads to it: a literal in
 * any notation, a name, a name that resolves otherwise the next time, or a redirect. The connection is made to the addresses that
 * were checked.
 */
export class GuardedCalls {
  readonly #ofThisMachine: ReadonlySet<string>;
  readonly #timeoutMs: number;
  readonly #publicLookup: LookupFunction;

  constructor({
    loopbackOrigins = [],
    addressesOf = askNameServers,
    timeoutMs = 5_000,
  }: GuardedOptions = {}) {
    this.#ofThisMachine = new Set(loopbackOrigins);
    this.#timeoutMs = timeoutMs;
    this.#publicLookup = checkedLookup(addressesOf);
  }

  /** Checks an address without a look-up. @throws {@link AddressRefused} for one that is not allowed, whatever its name resolves to */
  require(url: URL): void {
    if (!this.#isOfThisMachine(url)) requirePublic(url);
    else if (!isLoopbackHost(url.hostname)) throw new AddressRefused('the origin is not of this machine');
  }

  /**
   * Calls a server; the response comes with its body read.
   *
   * @param name names the call in a trace: `read metadata`
   * @throws {@link AddressRefused} where the address is not allowed: nothing was sent
   * @throws {NetworkInTransactionError} while a database transaction is open
   * @throws {RangeError} for a response of more than 256 KiB; a `TimeoutError` for one that takes more than 5 seconds; a
   *   `TypeError` for a redirect, for a certificate that is not valid, where nothing answers, and for a compressed response, which
   *   is not asked for: whatever unpacks to nothing would be read without end
   */
  async call(name: string, url: string | URL, request: GuardedRequest = {}): Promise<Response> {
    refuseInTransaction(name);
    const target = new URL(url);
    this.require(target);
    const { method = 'GET', headers, body } = request;
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const lookup = this.#isOfThisMachine(target) ? loopbackLookup : this.#publicLookup;
    // One for each call: no connection outlives the check of its address.
    const dispatcher = new Agent({
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      connect: { rejectUnauthorized: true, lookup },
    });
    const sent = {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { body }),
    };
    return inSpan(name, { kind: 'client' }, async () => {
      try {
        const answer = await fetch(target, { ...sent, dispatcher, redirect: 'error', signal });
        if (answer.headers.has('content-encoding')) throw new TypeError('the answer is compressed');
        const bytes = await readAtMost(answer.body, bytesMax);
        const { status } = answer;
        return new Response(bytes.length === 0 ? null : bytes, { status, headers: [...answer.headers] });
      } catch (error) {
        throw refusalIn(error) ?? error;
      } finally {
        void dispatcher.destroy();
      }
    });
  }

  #isOfThisMachine({ origin }: URL): boolean {
    return this.#ofThisMachine.has(origin);
  }
}

function requirePublic({ protocol, port, username, password, hostname }: URL): void {
  if (protocol !== 'https:') throw new AddressRefused('the address is not https');
  if (port !== '') throw new AddressRefused('the port is not 443');
  if (username !== '' || password !== '') throw new AddressRefused('the address has a user or password');
  const literal = hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new AddressRefused('the address is not public');
}

/** A look-up for sockets that gives public addresses, or fails: if one address of a name is not public, none is used. */
function checkedLookup(addressesOf: (hostname: string) => Promise<readonly string[]>): LookupFunction {
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const first = addresses[0];
        if (first === undefined) callback(new Error('the name has no address'), []);
        else if (!addresses.every(isPublicAddress))
          callback(new AddressRefused('the address is not public'), []);
        else if (all) callback(null, addresses.map(withFamily));
        else callback(null, first, isIP(first));
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error('the name has no address'), []);
      },
    );
  };
}

const withFamily = (address: string): LookupAddress => ({ address, family: isIP(address) });

/** Gives addresses of this machine, or fails. */
const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { all: true, hints: ADDRCONFIG }, (error, found) => {
    const addresses = error ? [] : found.filter(({ address }) => isLoopback(address));
    const [first] = addresses;
    if (!first) callback(error ?? new AddressRefused('the name is not of this machine'), []);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether a host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replaceAll(/^\[|\]$/g, ''));
}

/**
 * Not by the system's look-up: it reads /etc/hosts and search domains, and takes a thread of those that hash passwords for as
 * long as a name server of somebody else's likes.
 */
async function askNameServers(hostname: string): Promise<string[]> {
  const resolver = new promises.Resolver({ timeout: 1_000, tries: 2 });
  const asked = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [failed] = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  if (addresses.length === 0 && failed) throw failed;
  return addresses;
}

/** fetch and sockets wrap what a look-up fails with. */
function refusalIn(error: unknown): AddressRefused | undefined {
  if (error instanceof AddressRefused) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
}
