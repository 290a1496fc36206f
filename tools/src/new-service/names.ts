import { ExplainedError } from '@tenantry/dev-database';
import pluralize from 'pluralize';
import type { ServiceDescription } from '../services.ts';

/** What a new service is called, and where it is reached. */
export interface NewServiceNames {
  /** What it keeps, as `purchase-orders`. */
  readonly plural: string;
  /** One of them, as `purchase-order`. */
  readonly singular: string;
  /** `purchase-orders-service` */
  readonly service: string;
  readonly port: number;
  /** `/api/purchase-orders` */
  readonly prefix: string;
}

/**
 * Names a service after what it keeps, and takes the next free port and the prefix of that name.
 *
 * @throws ExplainedError for a name that cannot be one, and for one that is taken.
 */
export function namesFor(
  plural: string | undefined,
  services: readonly ServiceDescription[],
): NewServiceNames {
  // Longer, and names of indexes would exceed the 63 characters of PostgreSQL.
  const isShort = plural !== undefined && plural.length < 30;
  if (!isShort || !/^[a-z]+(-[a-z]+)*$/.test(plural) || !isPlural(plural)) {
    throw new ExplainedError(
      'Name the service by the plural of what it keeps, in lower-case words with hyphens between them: npm run new-service -- purchase-orders',
    );
  }
  const [service, prefix] = [`${plural}-service`, `/api/${plural}`];
  const taken = services.find((other) => other.name === service || other.prefix === prefix);
  if (taken) throw new ExplainedError(`${taken.name} is there already, at ${taken.prefix ?? 'no prefix'}.`);
  const inner = services.filter((other) => other.prefix !== undefined);
  return {
    plural,
    singular: singularOf(plural),
    service,
    port: Math.max(...inner.map(({ port }) => port)) + 1,
    prefix,
  };
}

/** The last word decides. */
const lastOf = (name: string): string => name.split('-').at(-1) ?? name;

const isPlural = (name: string): boolean => pluralize.isPlural(lastOf(name));

/** What has no singular, such as news, is counted in items: a singular of its own keeps one apart from all. */
function singularOf(plural: string): string {
  const singular = plural.replace(/[a-z]+$/, (word) => pluralize.singular(word));
  return singular === plural ? `${plural}-item` : singular;
}

/** A name as it appears in code and text: each form is written in another way. */
interface Forms {
  readonly kebab: string;
  readonly snake: string;
  readonly screaming: string;
  readonly camel: string;
  readonly pascal: string;
  readonly words: string;
  readonly sentence: string;
}

function formsOf(name: string): Forms {
  const words = name.split('-');
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join('');
  return {
    kebab: name,
    snake: words.join('_'),
    screaming: words.join('_').toUpperCase(),
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    words: words.join(' '),
    sentence: capital(words.join(' ')),
  };
}

/** What the template keeps: two words, so that every form of the name can be told apart. */
const [ofTemplate, oneOfTemplate] = [formsOf('field-notes'), formsOf('field-note')];

/** Turns the template's field notes into what the new service keeps, wherever they are named, in every form. */
export function renamed(
  text: string,
  { plural, singular }: Pick<NewServiceNames, 'plural' | 'singular'>,
): string {
  const [all, one] = [formsOf(plural), formsOf(singular)];
  let result = text.replaceAll(
    /\b([Aa])n? field note\b/g,
    (_all, a: string) => `${a}${articleEnd(one.words)} ${one.words}`,
  );
  // The plural first: the singular is its beginning. A capital S belongs to the next word.
  for (const [from, to] of [
    [ofTemplate, all],
    [oneOfTemplate, one],
  ] as const) {
    for (const form of Object.keys(from) as (keyof Forms)[]) result = result.replaceAll(from[form], to[form]);
  }
  return result;
}

/** By its sound: an hour, a user. */
const articleEnd = (words: string): '' | 'n' =>
  /^(hour|honest|heir|[aeio]|u(?!ni|s[aei]|ti))/.test(words) && !/^(one|eu)/.test(words) ? 'n' : '';
