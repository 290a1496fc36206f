import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { Drafts, DraftsContext, inMemory, type DraftStorage } from './design/drafts.ts';
import { createQueries } from './create-queries.ts';
import { createConsoleRouter, type Surroundings } from './router.tsx';
import { SessionContext } from './sessions/sessions.queries.ts';

interface ConsoleProps extends Surroundings {
  /** Stores unsaved input; by default it is lost with the document. */
  readonly draftStorage?: DraftStorage;
}

/** The console as a whole, without the document that it is in. */
export function Console({ draftStorage = inMemory(), ...surroundings }: ConsoleProps) {
  const [drafts] = useState(() => new Drafts(draftStorage));
  const [queries] = useState(createQueries);
  const [router] = useState(() => createConsoleRouter(surroundings));
  return (
    <StrictMode>
      <SessionContext value={surroundings.session}>
        <QueryClientProvider client={queries}>
          <DraftsContext value={drafts}>
            <RouterProvider router={router} />
          </DraftsContext>
        </QueryClientProvider>
      </SessionContext>
    </StrictMode>
  );
}
