import { ApiError } from '@tenantry/envelope';
import { Type, type TSchema } from 'typebox';

/** The entity tag of a version of a resource (RFC 9110, 8.8.3). */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The headers of a conditional change. */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      format: 'entity-tags',
      description: 'makes the change only if the resource still has this ETag; otherwise 412',
      examples: ['"3"'],
    }),
  ),
});

/** Whether the caller accepts the version that is about to be changed. */
export type Precondition = (version: number) => boolean;

/** Without the header, every version is accepted. */
export const anyVersion: Precondition = () => true;

/**
 * Reads the If-Match header of a request (RFC 9110, 13.1.1). Without the header, and with `*`, every version is
 * accepted. Weak tags never match.
 */
export function preconditionOf({
  headers,
}: {
  readonly headers: { readonly 'if-match'?: string };
}): Precondition {
  const header = headers['if-match'];
  if (header === undefined) return anyVersion;
  const tags = readEntityTags(header) ?? [];
  return tags === '*' ? anyVersion : (version) => tags.includes(entityTag(version));
}

/** The error when the version differs from the one the caller read. */
export function preconditionFailed(noun: string): ApiError {
  return new ApiError(
    'PRECONDITION_FAILED',
    `The ${noun} has changed since you read it. Read it again, then repeat the change.`,
  );
}

const tag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/y;
const between = /[ \t,]*/y;

/** Reads the tags of an If-Match header in linear time; undefined where it is malformed. */
export function readEntityTags(header: string): '*' | readonly string[] | undefined {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  for (let at = skip(header, 0); at < header.length;) {
    tag.lastIndex = at;
    const found = tag.exec(header)?.[0];
    if (found === undefined) return undefined;
    const end = at + found.length;
    at = skip(header, end);
    // Two tags have a comma between them.
    if (at < header.length && !header.slice(end, at).includes(',')) return undefined;
    tags.push(found);
  }
  return tags.length > 0 ? tags : undefined;
}

function skip(header: string, from: number): number {
  between.lastIndex = from;
  between.test(header);
  return between.lastIndex;
}

/** Says in the OpenAPI document that an answer carries the resource's entity tag. */
export function WithEntityTag<Schema extends TSchema>(answer: Schema): Schema {
  return { ...answer, headers: { ETag: EntityTagHeader } };
}

const EntityTagHeader = Type.String({
  description: 'the version of the resource, for If-Match of a later change',
  examples: ['"3"'],
});
