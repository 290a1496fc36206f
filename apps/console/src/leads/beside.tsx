import { Suspense, use } from 'react';
import { loadPart } from '../design/load-part.ts';
import type { LeadSideProps } from './lead-side.tsx';

type Side = typeof import('./lead-side.tsx');

let loaded: Promise<Side> | undefined;

/** A failed load is tried again by the next that needs it. */
function loadSide(): Promise<Side> {
  loaded ??= loadPart(() => import('./lead-side.tsx')).catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** A lead beside the list: loaded with the first that is opened, since most look at the list first. */
export function Beside(props: LeadSideProps) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

function Loaded(props: LeadSideProps) {
  const { LeadSide } = use(loadSide());
  return <LeadSide {...props} />;
}
