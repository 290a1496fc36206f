import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Page as Frame } from '../design/page.tsx';
import { importedCustomers } from '../customers/customer-imports.queries.ts';
import { importedLeads } from '../leads/lead-imports.queries.ts';
import { useUnsavedPart } from '../design/use-unsaved.ts';
import { ChooseFile } from './choose-file.tsx';
import type { ImportChoices } from './choices.ts';
import { ImportProgress } from './import-progress.tsx';
import type { ChosenFile } from './import.queries.ts';
import { ThingProvider, useImportWords, useThing } from './thing.queries.ts';
import { PastImports } from './past-imports.tsx';
import { ReviewFile } from './review-file.tsx';

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'review'; readonly file: ChosenFile }
  | { readonly at: 'run'; readonly file: ChosenFile; readonly choices: ImportChoices; readonly rows: number };

/** Imports leads or customers, as its address says, from a file or the clipboard: choose, review, import. Past imports can be taken back. */
export function Page() {
  const { pathname } = useLocation();
  const thing = pathname.startsWith(importedCustomers.page) ? importedCustomers : importedLeads;
  return (
    <ThingProvider key={thing.key} value={thing}>
      <Steps />
    </ThingProvider>
  );
}

function Steps() {
  const { of: words } = useImportWords();
  const { page } = useThing();
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [pasted, setPasted] = useState('');
  // A running import registers itself as unsaved.
  useUnsavedPart({ lostWith: 'page', isUnsaved: () => step.at !== 'run' && pasted.trim() !== '' });
  return (
    <Frame title={words.title}>
      {step.at === 'choose' && (
        <>
          <ChooseFile
            {...{ pasted }}
            onPasted={setPasted}
            onFile={(file) => setStep({ at: 'review', file })}
          />
          <PastImports />
        </>
      )}
      {step.at === 'review' && (
        <ReviewFile
          file={step.file}
          onStart={(choices, rows) => setStep({ at: 'run', file: step.file, choices, rows })}
          onBack={() => setStep({ at: 'choose' })}
        />
      )}
      {step.at === 'run' && <ImportProgress {...step} onBack={() => setStep({ at: 'choose' })} />}
      <p>
        <Link to={page}>{words.back}</Link>
      </p>
    </Frame>
  );
}
