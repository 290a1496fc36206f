import { discoverServices, type ServiceDescription } from '../services.ts';
import { readSettings, type Setting, type SettingsSchema } from './schema.ts';

interface Row extends Setting {
  readonly services: string[];
  readonly required: boolean;
}

const begin = '<!-- configuration: written by npm run configuration -->';
const end = '<!-- end of configuration -->';

/** Puts the list of every service's settings between the two marks of a Markdown text. */
export function withConfigurationList(markdown: string, list: string): string {
  const [head, rest] = splitAt(markdown, begin);
  const [, tail] = splitAt(rest, end);
  return `${head}${begin}\n\n${list}\n${end}${tail}`;
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the text lacks the mark ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** The settings of all services as a Markdown list, read from the schemas that the services parse. */
export async function configurationList(workspaceRoot: string): Promise<string> {
  const services = discoverServices(workspaceRoot);
  const rows = new Map<string, Row>();
  for (const service of services) addSettings(rows, service, await readSettings(service));
  const lines = [...rows]
    .sort(byReach(services.length))
    .map(([name, row]) => describe(name, row, services.length));
  return `${lines.join('\n')}\n`;
}

function addSettings(
  rows: Map<string, Row>,
  { name: service }: ServiceDescription,
  schema: SettingsSchema,
): void {
  for (const [name, setting] of Object.entries(schema.properties)) {
    const known = rows.get(name);
    if (known) known.services.push(service);
    else
      rows.set(name, { ...setting, services: [service], required: schema.required?.includes(name) ?? false });
  }
}

/** What everyone reads comes first, then by name. */
const byReach =
  (all: number) =>
  ([a, one]: [string, Row], [b, other]: [string, Row]): number =>
    Number(other.services.length === all) - Number(one.services.length === all) || a.localeCompare(b);

function describe(name: string, row: Row, all: number): string {
  const readers =
    row.services.length === all ? 'all' : row.services.map((service) => service.replace(/-service$/, ''));
  const facts = `${[readers].flat().join(', ')}; ${defaultOf(name, row)}`;
  return `- **\`${name}\`** (${facts}): ${row.description ?? ''}`;
}

function defaultOf(name: string, { default: standard, developmentDefault, required }: Row): string {
  // Each service has a port of its own.
  if (name === 'PORT') return 'default as above';
  if (developmentDefault !== undefined) return `required in production, else ${code(developmentDefault)}`;
  if (standard === undefined) return required ? '**required**' : 'optional';
  return Array.isArray(standard) && standard.length === 0 ? 'optional' : `default ${code(standard)}`;
}

const code = (value: unknown): string => `\`${[value].flat().join(',')}\``;
