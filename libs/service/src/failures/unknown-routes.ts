import { ApiError, nothingHere } from '@tenantry/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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

  // The router matches DELETE /leads/statistics to DELETE /leads/:id, since the path itself has no DELETE.
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: pattern = '' } = request.routeOptions;
    const path = pathOf(request);
    const own = pattern.includes('/:') && path !== pattern ? patterns.get(path) : undefined;
    done(own && methodNotAllowed([...own.methods]));
  });

  app.setNotFoundHandler((request) => {
    const allowed = allowedMethods(pathOf(request), patterns.values());
    if (allowed.length === 0) throw nothingHere;
    throw methodNotAllowed(allowed);
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

function methodNotAllowed(allowed: readonly string[]): ApiError {
  const methods = allowed.toSorted().join(', ');
  const headers = { allow: methods };
  return new ApiError('METHOD_NOT_ALLOWED', `This path supports only ${methods}.`, { headers });
}

function allowedMethods(path: string, patterns: Iterable<RoutePattern>): string[] {
  const segments = path.split('/');
  const methods = new Set<string>();
  for (const pattern of patterns) {
    if (matches(pattern.segments, segments)) for (const method of pattern.methods) methods.add(method);
  }
  return [...methods];
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) =>
      segment.startsWith(':') ? path[index] !== '' : segment === path[index],
    )
  );
}
