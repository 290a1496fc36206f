/** Preloaded into a service (`node --import`): its clock stands an hour behind, so that what it issues has expired. */
const now = Date.now;
const anHourAgo = (): number => now() - 3_600_000;

globalThis.Date = new Proxy(Date, {
  construct: (target, parts: unknown[], newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [anHourAgo()] : parts, newTarget) as Date,
  get: (target, name): unknown => (name === 'now' ? anHourAgo : Reflect.get(target, name)),
});
