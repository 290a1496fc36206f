import { expect, it } from 'vitest';
import { documentOf } from './operations.ts';
import type { Standing } from './standing.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Part {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}

interface Operation {
  readonly requestBody?: Part;
  readonly responses: Readonly<Record<string, Part>>;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A document shows what a service takes and gives. */
export function documentTests(standing: () => Standing): void {
  it('shows each text that it takes and gives by an example, where its format does not say enough', async () => {
    const { running, service } = standing();
    const document = (await documentOf(running.app, service.prefix)) as unknown as Described;
    const bare = new Set<string>();
    for (const [path, operations] of Object.entries(document.paths)) {
      if (path.endsWith('/of/these/tests')) continue;
      for (const operation of Object.values(operations)) {
        for (const schema of schemasOf(operation)) {
          for (const text of bareTexts(schema, { document, path })) bare.add(text);
        }
      }
    }
    expect([...bare]).toEqual([]);
  });
}

/** Of its body and of what it answers when all is well: refusals have examples of their own. */
function schemasOf({ requestBody, responses }: Operation): Schema[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [requestBody, ...answers.map(([, answer]) => answer)].flatMap(
    (part) => part?.content?.['application/json']?.schema ?? [],
  );
}

const telling = ['examples', 'enum', 'const', 'default', 'format'];

/** The texts that a reader sees as "string". */
function bareTexts(
  schema: Schema,
  { document, path }: { readonly document: Described; readonly path: string },
): string[] {
  if (telling.some((keyword) => keyword in schema)) return [];
  const { $ref, properties = {}, items, anyOf = [], type } = schema;
  const name = $ref?.split('/').at(-1);
  if (name !== undefined) {
    return bareTexts(document.components.schemas[name] ?? {}, { document, path: name });
  }
  const fields = Object.entries(properties).flatMap(([field, part]) =>
    bareTexts(part, { document, path: `${path}.${field}` }),
  );
  const others = [...(items ? [items] : []), ...anyOf].flatMap((part) => bareTexts(part, { document, path }));
  return [...([type].flat().includes('string') ? [path] : []), ...fields, ...others];
}
