import fc from 'fast-check';
import { anyValue, fittingValue, hostileText } from './malformed-values.ts';
import type { Operation, Schema } from './operations.ts';
import type { Person } from './people.ts';
import type { WireRequest } from './wire.ts';

/** Bodies that are close to what is asked for, JSON that is not, and what is no JSON at all. */
function bodyFor(schema: Schema): fc.Arbitrary<string | Buffer | undefined> {
  const near = fittingValue(schema).map((value) => JSON.stringify(value));
  return fc.oneof(
    { arbitrary: near, weight: 6 },
    { arbitrary: fc.tuple(near, hostileText, anyValue).map(withField), weight: 2 },
    { arbitrary: anyValue.map((value) => JSON.stringify(value)), weight: 2 },
    {
      arbitrary: fc.tuple(near, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
      weight: 1,
    },
    { arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
    {
      arbitrary: fc.constantFrom(
        '{"__proto__":{"role":"owner"}}',
        '{"constructor":{"prototype":{"role":"owner"}}}',
        '{"email":"a@example.com","email":"b@example.com"}',
        `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
        `{"name":"${'x'.repeat(70_000)}"}`,
        '{"name":"\\ud800"}',
        '\ufeff{}',
      ),
      weight: 1,
    },
    { arbitrary: fc.constant(undefined), weight: 1 },
  );
}

/** One more field than there should be. */
function withField([text, name, value]: [string, string, unknown]): string {
  const inner = text.replace(/^\{|\}$/g, '');
  return `{${inner}${inner === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}}`;
}

const segment = fc.oneof(
  { arbitrary: fc.uuid(), weight: 4 },
  { arbitrary: hostileText.map(percentEncoded), weight: 2 },
  {
    arbitrary: fc.constantFrom(
      '%',
      '%zz',
      '%ff',
      '%c0%af',
      '%00',
      '..',
      '%2e%2e',
      '%2f',
      ';a=b',
      '*',
      'x'.repeat(9_000),
    ),
    weight: 1,
  },
);

/** A lone surrogate has no encoding of its own and becomes U+FFFD, as in browsers. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** Parameters in braces are left for {@link sentBy} to fill in. */
function pathFor({ path, pathParameters }: Operation): fc.Arbitrary<string> {
  const choices = pathParameters.map((name) =>
    fc.oneof({ arbitrary: fc.constant(`{${name}}`), weight: 1 }, { arbitrary: segment, weight: 1 }),
  );
  return fc.tuple(...choices).map((segments) => {
    const left = [...segments];
    return path.replaceAll(/\{\w+\}/g, () => left.shift() ?? '');
  });
}

function queryFor({ query }: Operation): fc.Arbitrary<string> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(query), 'unknown', 'organizationId'), hostileText);
  const value = fc.oneof(
    ...Object.values(query).map(fittingValue),
    hostileText,
    fc.constantFrom('1', '100', '-1', '1.5'),
  );
  const pairs = fc.array(fc.tuple(name, value), { maxLength: 3 });
  const wellFormed = pairs.map((list) =>
    list.map(([key, text]) => `${percentEncoded(key)}=${percentEncoded(String(text))}`).join('&'),
  );
  return fc.oneof(
    { arbitrary: wellFormed, weight: 8 },
    { arbitrary: fc.constantFrom('%', 'page=%zz', '&&&', '=', 'page[]=1', 'page=1&page=2', '?'), weight: 1 },
  );
}

const strangeValues: Readonly<Record<string, readonly string[]>> = {
  'if-match': ['*', '"', 'W/"1"', '"1", "2"', 'x'.repeat(2_000), '"99999999999999999999"'],
  'if-none-match': ['*', '"', 'W/"1"'],
  'idempotency-key': ['', 'a', 'x'.repeat(2_000), '"a"'],
  'x-request-id': ['', 'a b', '../..', 'x'.repeat(200)],
  'x-device-id': ['', 'short', 'x'.repeat(300), 'browser/abc'],
  'x-forwarded-for': ['unknown', '::1', '1.2.3.4, 5.6.7.8', '999.1.1.1', ','],
  accept: ['text/html', '*/*;q=0', ';'],
  'content-encoding': ['gzip', 'br', 'identity'],
  'sec-fetch-site': ['none', 'same-origin', 'nonsense'],
  cookie: ['=', ';;;', '__Host-access=nonsense', '__Secure-refresh=trt_AAAA', '__Host-access=%', 'a=b; a=c'],
  origin: ['null', 'nonsense', 'https://'],
  'x-csrf-token': ['', 'nonsense'],
  'user-agent': ['', 'x'.repeat(4_000), '\u00ff\u00fe'],
};

const strangeHeader = fc
  .constantFrom(...Object.entries(strangeValues))
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)));

const strangeHeaders = fc
  .array(strangeHeader, { minLength: 1, maxLength: 2 })
  .map((headers) => Object.fromEntries(headers));

const mediaType = fc.oneof(
  { arbitrary: fc.constant('application/json'), weight: 8 },
  {
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/problem+json',
      'nonsense',
      '/',
    ),
    weight: 1,
  },
);

/** Rows that are cut short, quoted or encoded wrongly, or of unknown columns. */
const brokenRows = fc
  .array(
    fc.oneof(
      hostileText,
      fc.constantFrom('name', 'email', '"', '""', ',', ';', '\n', '\r\n', '=1+1', '\u0000'),
    ),
    {
      maxLength: 30,
    },
  )
  .chain((cells) =>
    fc.constantFrom(
      cells.join(','),
      `name,email\n${cells.join(',')}`,
      Buffer.concat([Buffer.from('name,email\n'), Buffer.from(cells.join(';'), 'utf16le')]),
    ),
  );

/** Pictures that are none: the begin of one, and what comes. */
const brokenPicture = fc
  .tuple(
    fc.constantFrom('89504e470d0a1a0a0000000d49484452', 'ffd8ffc0000b08', 'ffd8ffda0004', ''),
    fc.uint8Array(),
  )
  .map(([begin, rest]) => Buffer.concat([Buffer.from(begin, 'hex'), rest]));

/** Broken files of the types that an operation takes, under their names. */
function fileFor({ fileTypes }: Operation): fc.Arbitrary<{ mediaType: string; content: string | Buffer }> {
  return fc.constantFrom(...fileTypes).chain((type) => {
    const content = type.startsWith('image/') ? brokenPicture : fc.oneof(brokenRows, brokenPicture);
    return content.map((bytes) => ({ mediaType: type, content: bytes }));
  });
}

/** Requests of an operation that are wrong in some way, most of them in few. */
export function malformedRequests(operation: Operation): fc.Arbitrary<WireRequest> {
  const { method, body, fileTypes } = operation;
  const authorization = fc.oneof(
    { arbitrary: fc.constant('Bearer {token}'), weight: 8 },
    {
      arbitrary: fc.constantFrom(
        'Bearer',
        'Bearer ',
        'bearer x.y.z',
        'Bearer {token}x',
        'Basic YTpi',
        '{token}',
      ),
      weight: 1,
    },
  );
  return fc
    .record({
      path: pathFor(operation),
      query: fc.option(queryFor(operation), { nil: '' }),
      body: body ? bodyFor(body) : fc.option(bodyFor({}), { nil: undefined, freq: 6 }),
      headers: fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, { arbitrary: strangeHeaders, weight: 1 }),
      mediaType,
      file: fileTypes.length > 0 ? fc.option(fileFor(operation), { nil: undefined }) : fc.constant(undefined),
      authorization,
    })
    .map(({ path, query, headers, file, ...own }) => {
      const sent = file?.content ?? own.body;
      return {
        method,
        path: query === '' ? path : `${path}?${query}`,
        headers: {
          ...headers,
          authorization: own.authorization,
          ...(sent === undefined ? {} : { 'content-type': file?.mediaType ?? own.mediaType }),
        },
        body: sent,
      };
    });
}

/** The same request as somebody sends it, about what is theirs where it says so. */
export function sentBy({ id, organizationId, session }: Person, request: WireRequest): WireRequest {
  const ids: Readonly<Record<string, string>> = { organizationId, userId: id, id: session.id };
  const authorization = String(request.headers?.['authorization']).replace('{token}', session.token);
  return {
    ...request,
    path: request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? id),
    headers: { ...request.headers, authorization },
  };
}
