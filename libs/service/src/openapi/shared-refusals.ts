import type { Document, Response } from './finish.ts';
import { pascalCase } from './names.ts';

interface Place {
  readonly responses: Record<string, Response>;
  readonly status: string;
}

/** Moves the refusals that several operations share into the document's components. */
export function hoistSharedRefusals({ paths, components }: Document): void {
  for (const [response, places] of placesByRefusal(paths)) {
    if (places.length < 2) continue;
    const name = freeName(components.responses, response);
    components.responses[name] = JSON.parse(response) as Response;
    for (const { responses, status } of places) {
      responses[status] = { $ref: `#/components/responses/${name}` } as never;
    }
  }
}

function placesByRefusal(paths: Document['paths']): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(responses)) {
      if (codesIn(response).length === 0) continue;
      const text = JSON.stringify(response);
      places.set(text, [...(places.get(text) ?? []), { responses, status }]);
    }
  }
  return places;
}

/** The examples of a refusal are named by its codes, with a reason after a dot. */
function codesIn({ content }: Response): string[] {
  const names = Object.keys(content?.['application/json']?.examples ?? {});
  return [...new Set(names.map((name) => name.replace(/\..*/, '')))];
}

function freeName(taken: object, response: string): string {
  const name = codesIn(JSON.parse(response) as Response)
    .map(pascalCase)
    .join('Or');
  let free = name;
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${name}${number}`;
  return free;
}
