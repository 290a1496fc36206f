import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testLog, type TestLog } from './test-log.ts';

/** A span as a collector receives it, with its attributes as plain fields. */
export interface CollectedSpan {
  readonly name: string;
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined where the trace begins. */
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Whether it failed. */
  readonly isError: boolean;
}

/** Answers one export of spans. */
export type AnswerExport = (response: ServerResponse) => void;

/** A collector of spans that stands in for a real one: OTLP over HTTP, in JSON. */
export interface TraceCollector {
  /** Base address, for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  /** What `startTracing` takes beside the name of the service, to record every trace, send it here and log nothing. */
  readonly allTraces: {
    readonly endpoint: string;
    readonly version: string;
    readonly ratio: 1;
    readonly logger: { info(): void; warn(): void };
  };
  /** Every span that an export brought which was answered with 200. */
  readonly spans: readonly CollectedSpan[];
  /** Everything that was received, as it was sent. */
  text(): string;
  /** Has exports answered in another way from now on; undefined answers as a collector does. */
  answerBy(answer: AnswerExport | undefined): void;
  close(): Promise<void>;
}

/**
 * Starts a collector on a port of its own.
 *
 * @param options.log keeps what is received. Default: the log of the test, so that `npm test` searches spans for secrets, too
 */
export async function startTraceCollector({
  log = testLog(),
}: { readonly log?: TestLog } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let answerBy: AnswerExport | undefined;

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = answerBy;
    const body = await textOf(request);
    log.write(`${body}\n`);
    if (answer) {
      answer(response);
      return;
    }
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    if (isExport) spans.push(...spansIn(body));
    response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${address.port}`;
  const silent = { info: () => undefined, warn: () => undefined };

  return {
    endpoint,
    allTraces: { endpoint, version: '1.2.3', ratio: 1, logger: silent },
    spans,
    text: log.text,
    answerBy: (answer) => (answerBy = answer),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code: number };
      }[];
    }[];
  }[];
}

const errorStatus = 2;

function spansIn(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Export;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, traceId, spanId, parentSpanId, attributes, status }) => ({
        name,
        service: String(fieldsOf(resource.attributes)['service.name']),
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        attributes: fieldsOf(attributes),
        isError: status.code === errorStatus,
      })),
  );
}

function fieldsOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
