import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { isTenantryError } from '@tenantry/client';
import { StrictMode, useState } from 'react';
import { createConsoleRouter, type Surroundings } from './router.tsx';
import { SessionContext } from './sessions/sessions.queries.ts';

/** The console as a whole, without the document that it is in. */
export function Console(surroundings: Surroundings) {
  const [queries] = useState(createQueries);
  const [router] = useState(() => createConsoleRouter(surroundings));
  return (
    <StrictMode>
      <SessionContext value={surroundings.session}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SessionContext>
    </StrictMode>
  );
}

const createQueries = () =>
  new QueryClient({ defaultOptions: { queries: { retry: isWorthRepeating, staleTime: 10_000 } } });

/** Reads are tried again where that may help: not what was refused. */
const isWorthRepeating = (failures: number, error: Error): boolean =>
  failures < 2 && isTenantryError(error) && (error.status === 0 || error.status >= 500);
