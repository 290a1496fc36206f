import pg from 'pg';

/**
 * Preloaded into a service (`node --import`): its clock is an hour behind, and so does the database's when it asks for
 * that, so that what it issues has expired.
 */
const now = Date.now;
const anHourAgo = (): number => now() - 3_600_000;

globalThis.Date = new Proxy(Date, {
  construct: (target, parts: unknown[], newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [anHourAgo()] : parts, newTarget) as Date,
  get: (target, name): unknown => (name === 'now' ? anHourAgo : Reflect.get(target, name)),
});

type Question = { text?: string };

const clock = 'SELECT clock_timestamp() AS at';
// oxlint-disable-next-line typescript/unbound-method -- it is called on the client that is asked
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [asked] = args as [Question & { queries?: Question[] }];
  for (const question of asked.queries ?? [asked]) {
    if (question.text === clock) question.text = `SELECT clock_timestamp() - INTERVAL '1 hour' AS at`;
  }
  return Reflect.apply(query, this, args) as never;
};
