import { useRouter, type AnyRoute } from '@tanstack/react-router';
import { mayCall, type OperationId } from '@tenantry/client';
import { useSignedIn } from '../sessions/sessions.queries.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The operation that a page calls first. */
    readonly operation?: OperationId;
  }
}

/** Whether there is a page at a path, and the reader may open it. */
export function useMayOpen(): (path: string) => boolean {
  const routes = routesWithoutOptions(useRouter().routesByPath);
  const { permissions, session } = useSignedIn();
  return (path) => {
    const operation = routes.get(path)?.options.staticData?.operation;
    if (operation === undefined || (session.confinedTo !== undefined && ofOneself.has(operation)))
      return false;
    return mayCall(permissions, operation);
  };
}

/** What somebody who has signed in through an organization has to sign in for themselves. */
const ofOneself: ReadonlySet<OperationId> = new Set(['getProfile', 'createOrganization']);

/** Routes by the shortest address that they answer to. */
const routesWithoutOptions = (routes: Readonly<Record<string, AnyRoute>>) =>
  new Map(Object.entries(routes).map(([path, route]) => [path.replace(/\/\{-\$\w+\}$/, ''), route]));
