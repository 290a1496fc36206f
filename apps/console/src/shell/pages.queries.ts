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
  const { permissions } = useSignedIn();
  return (path) => {
    const operation = routes.get(path)?.options.staticData?.operation;
    return operation !== undefined && mayCall(permissions, operation);
  };
}

/** Routes by the shortest address that they answer to. */
const routesWithoutOptions = (routes: Readonly<Record<string, AnyRoute>>) =>
  new Map(Object.entries(routes).map(([path, route]) => [path.replace(/\/\{-\$\w+\}$/, ''), route]));
