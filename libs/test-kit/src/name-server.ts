import { once } from 'node:events';
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  decode,
  encode,
  streamEncode,
  TRUNCATED_RESPONSE,
  type Answer,
  type DecodedPacket,
} from 'dns-packet';

/** What a name server says of the TXT records of a name. */
export type SaidOfName =
  | { readonly texts: readonly string[] }
  /** The name exists, with no such record. */
  | 'no-data'
  /** SERVFAIL, REFUSED, or nothing at all. */
  | 'fails'
  | 'refuses'
  | 'silent'
  /** Too long for UDP, and nothing over TCP. */
  | 'stalls'
  /** Something, once a promise is fulfilled. */
  | { readonly after: Promise<unknown>; readonly texts: readonly string[] }
  /** An alias of another name, whose records come with it. */
  | { readonly alias: string; readonly texts: readonly string[] };

const codes = { fails: 2, refuses: 5, unknown: 3 } as const;

/** Says what there is of a name, in lower case; nothing of a name that does not exist. */
type Say = (name: string) => SaidOfName | undefined | Promise<SaidOfName | undefined>;

/** A name server on this machine, over UDP and TCP. */
export interface NameServer {
  /** `127.0.0.1:53535`. */
  readonly address: string;
  /** Names that were asked for over UDP, in order. */
  readonly asked: readonly string[];
  readonly close: () => void;
}

/** Starts a name server. */
export async function startNameServer(say: Say): Promise<NameServer> {
  const asked: string[] = [];
  const streams = new Set<Socket>();
  let hasEnded = false;
  const tcp = createServer((stream) => {
    streams.add(stream);
    stream.on('error', () => undefined).on('close', () => streams.delete(stream));
    stream.on('data', (data: Buffer) => {
      void answerTo(decode(data.subarray(2)), say).then((answer) => {
        if (answer && answer !== 'stalls') stream.write(streamEncode(answer));
      });
    });
  });
  const udp = await listenOnBoth(tcp);
  udp.on('message', (message: Buffer, { port: to, address }: RemoteInfo) => {
    const query = decode(message);
    asked.push(query.questions?.[0]?.name ?? '');
    const short = { type: 'response', id: query.id ?? 0, flags: TRUNCATED_RESPONSE } as const;
    void answerTo(query, say).then((answer) => {
      if (!answer || hasEnded) return;
      const bytes = answer === 'stalls' ? undefined : encode(answer);
      const isShort = bytes === undefined || bytes.length > 512;
      udp.send(isShort ? encode({ ...short, questions: query.questions ?? [] }) : bytes, to, address);
    });
  });
  const close = () => {
    hasEnded = true;
    udp.close();
    for (const stream of streams) stream.destroy();
    tcp.close();
  };
  return { address: `127.0.0.1:${(tcp.address() as AddressInfo).port}`, asked, close };
}

/**
 * Listens on one number of both protocols. TCP is asked for one first: its outgoing connections have numbers too, so that one that is
 * free of UDP is often taken there.
 */
async function listenOnBoth(tcp: Server): Promise<UdpSocket> {
  for (;;) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4');
    try {
      udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1');
      await once(udp, 'listening');
      return udp;
    } catch (error) {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function answerTo({ id = 0, questions = [] }: DecodedPacket, say: Say) {
  const name = questions[0]?.name.toLowerCase() ?? '';
  const said = await say(name);
  if (said === 'silent') return undefined;
  if (said === 'stalls') return said;
  if (typeof said === 'object' && 'after' in said) await said.after;
  const code = said === undefined ? codes.unknown : said === 'fails' || said === 'refuses' ? codes[said] : 0;
  return { type: 'response' as const, id, flags: code, questions, answers: answersOf(name, said) };
}

function answersOf(name: string, said: SaidOfName | undefined): Answer[] {
  if (typeof said !== 'object') return [];
  const holder = 'alias' in said ? said.alias : name;
  const texts = said.texts.map((data): Answer => ({
    type: 'TXT',
    name: holder,
    ttl: 0,
    data: piecesOf(data),
  }));
  return 'alias' in said ? [{ type: 'CNAME', name, ttl: 0, data: holder }, ...texts] : texts;
}

/** A text longer than 255 bytes is several strings. */
const piecesOf = (text: string): string[] => text.match(/.{1,255}/gs) ?? [''];
