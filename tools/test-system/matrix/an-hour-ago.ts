import pg from 'pg';

/**
 * Preloaded into a service (`node --import`): its clock stands an hour behind, and so does the database's when it asks for
 * that, so that what it issues has expired.
 */
const now = Date.now;
const anHourAgo = (): number => now() - 3_600_000;

globalThis.Date = new Proxy(Date, {
  construct: (target, parts: unknown[], newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [anHourAgo()] : parts, newTarget) as Date,
  get: (target, name): unknown => (name === 'now' ? anHourAgo : Reflect.get(target, name)),
});

const clock = 'clock_timestamp() AS at';
// oxlint-disable-next-line typescript/unbound-method -- it is called on the client that is asked
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, asked: string | pg.QueryConfig, ...rest: unknown[]) {
  const setBack = (text: string) =>
    text === `SELECT ${clock}` ? `SELECT clock_timestamp() - INTERVAL '1 hour' AS at` : text;
  const question = typeof asked === 'string' ? setBack(asked) : asked;
  if (typeof question === 'object' && typeof question.text === 'string')
    question.text = setBack(question.text);
  return Reflect.apply(query, this, [question, ...rest]) as never;
};
