import { ApiError } from '@tenantry/envelope';
import type { FastifyInstance } from 'fastify';

interface RoutePattern {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** Answers an unknown path with NOT_FOUND, and a known path under another method with METHOD_NOT_ALLOWED. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const patterns = new Map<string, RoutePattern>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = patterns.get(url) ?? { segments: url.split('/'), methods: new Set() };
    for (const name of [method].flat()) pattern.methods.add(name);
    patterns.set(url, pattern);
  });

  app.setNotFoundHandler((request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = allowedMethods(path.split('/'), patterns.values());
    if (allowed.length === 0) throw new ApiError('NOT_FOUND', 'There is nothing at this path.');
    throw new ApiError('METHOD_NOT_ALLOWED', `This path supports only ${allowed.join(', ')}.`, {
      headers: { allow: allowed.join(', ') },
    });
  });
}

function allowedMethods(path: readonly string[], patterns: Iterable<RoutePattern>): string[] {
  const methods = new Set<string>();
  for (const pattern of patterns) {
    if (matches(pattern.segments, path)) for (const method of pattern.methods) methods.add(method);
  }
  return [...methods].sort();
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) =>
      segment.startsWith(':') ? path[index] !== '' : segment === path[index],
    )
  );
}
