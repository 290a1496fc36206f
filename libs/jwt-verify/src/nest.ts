import {
  Catch,
  createParamDecorator,
  SetMetadata,
  type ArgumentsHost,
  type CanActivate,
  type CustomDecorator,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import type { BearerRequest, RecentFactor } from './requests/access.ts';
import { AccessError } from './tokens/errors.ts';
import { createGuard, type AccessOptions, type Check, type Guard } from './requests/guard.ts';
import { identityOf, memberOf, type IdentifiedRequest } from './requests/identified.ts';
import { admitBy, recheckNow } from './requests/recheck.ts';
import type { Identity } from './tokens/identity.ts';
import type { Verifier } from './verifier/verifier.ts';

/** A decorator of a controller or of one of its handlers. */
type Decorator = ClassDecorator & MethodDecorator;

/** The result of {@link jwtAccess}: a guard for the whole application, and decorators that require more. */
export interface Access<Name extends string = never> {
  /** The guard: every handler needs a valid token, unless it or its controller is {@link Public}. */
  readonly protect: CanActivate;
  /** Requires this permission in the active organization; throws if there is no such permission. */
  readonly Requires: (permission: Name) => Decorator;
  /** Requires a user, not the key of a service account; a permission is required of both alike. */
  readonly RequiresUser: () => Decorator;
  /** Requires a recent authentication (RFC 9470). */
  readonly RequiresRecentFactor: (required: RecentFactor) => Decorator;
}

const publicKey = 'tenantry:public';
const checksKey = 'tenantry:checks';

/** What reflect-metadata, which Nest loads, adds to Reflect. */
const metadata = Reflect as unknown as {
  getMetadata(key: string, subject: object): unknown;
  defineMetadata(key: string, value: unknown, subject: object): void;
};

/** Anyone may call this handler, or every handler of this controller that requires nothing itself. */
export const Public = (): CustomDecorator => SetMetadata(publicKey, true);

/** A parameter of a handler: the caller's {@link Identity}. Asks again, since interceptors may have read a body. */
export const CurrentIdentity = createParamDecorator((_: unknown, context: ExecutionContext) =>
  stillAdmitted(context, identityOf),
);

/** A parameter of a handler: the caller as a {@link Member} of the active organization. Asks again as well. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext) =>
  stillAdmitted(context, memberOf),
);

/** Nest awaits what a parameter is. */
async function stillAdmitted<Caller>(context: ExecutionContext, callerOf: (request: object) => Caller) {
  const request = context.switchToHttp().getRequest<object>();
  await recheckNow(request);
  return callerOf(request);
}

/**
 * Protects the handlers of Nest with a verifier. A refusal is an {@link AccessError}; {@link RefusalFilter} answers it.
 *
 * @example
 * export const { protect, Requires } = jwtAccess(verifier, {
 *   permissions: { owner: ['invoices:read'], member: ['invoices:read'] },
 * });
 * app.useGlobalGuards(protect);
 * app.useGlobalFilters(new RefusalFilter());
 */
export function jwtAccess<Name extends string = never>(
  verifier: Verifier,
  options: AccessOptions<Name> = {},
): Access<Name> {
  const guard = createGuard(verifier, options);
  return {
    protect: new AccessGuard(guard),
    Requires: (permission) => withCheck(guard.permission(permission)),
    RequiresUser: () => withCheck(guard.user),
    RequiresRecentFactor: (required) => withCheck(guard.recentFactor(required)),
  };
}

class AccessGuard implements CanActivate {
  readonly #guard: Pick<Guard<never>, 'admitting'>;

  constructor(guard: Pick<Guard<never>, 'admitting'>) {
    this.#guard = guard;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const checks = [...checksOf(controller), ...checksOf(handler)];
    // A requirement overrides `Public` in the same place or on the controller.
    const isOpen = isPublic(handler)
      ? checksOf(handler).length === 0
      : isPublic(controller) && checks.length === 0;
    if (isOpen) return true;
    if (context.getType() !== 'http') throw new Error('This guard knows HTTP requests alone.');
    const request = context.switchToHttp().getRequest<BearerRequest & IdentifiedRequest>();
    const passAll = (identity: Identity) => checks.forEach((check) => check(identity));
    request.identity = await admitBy(request, this.#guard.admitting(passAll));
    return true;
  }
}

/** Answers an {@link AccessError} as `{ code, message, reason? }`, on Express and on Fastify. */
export class RefusalFilter implements ExceptionFilter<AccessError> {
  catch(refusal: AccessError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Answer>();
    for (const [name, value] of Object.entries(refusal.headers)) response.header(name, value);
    response.status(refusal.statusCode).send(refusal.toJSON());
  }
}
Catch(AccessError)(RefusalFilter);

/** What the responses of Express and Fastify have in common. */
interface Answer {
  header(name: string, value: string): unknown;
  status(code: number): { send(body: object): unknown };
}

/** All checks of a handler count, in the order in which they are written. */
function withCheck(check: Check): Decorator {
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    const subject = (descriptor?.value as object | undefined) ?? target;
    metadata.defineMetadata(checksKey, [check, ...checksOf(subject)], subject);
  };
}

function checksOf(subject: object): readonly Check[] {
  return (metadata.getMetadata(checksKey, subject) as readonly Check[] | undefined) ?? [];
}

function isPublic(subject: object): boolean {
  return metadata.getMetadata(publicKey, subject) === true;
}

export type { AccessOptions } from './requests/guard.ts';
export { identityOf, memberOf } from './requests/identified.ts';
export { recheck } from './requests/recheck.ts';
