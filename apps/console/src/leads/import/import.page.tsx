import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWords } from '../../design/language.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useUnsavedPart } from '../../design/use-unsaved.ts';
import { ChooseFile } from './choose-file.tsx';
import type { ImportChoices } from './choices.ts';
import { ImportProgress } from './import-progress.tsx';
import type { ChosenFile } from './import.queries.ts';
import { importWords } from './import.words.ts';
import { PastImports } from './past-imports.tsx';
import { ReviewFile } from './review-file.tsx';

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'review'; readonly file: ChosenFile }
  | { readonly at: 'run'; readonly file: ChosenFile; readonly choices: ImportChoices; readonly rows: number };

/** Imports leads from a file or the clipboard: choose, review, import. Past imports can be taken back. */
export function Page() {
  const words = useWords(importWords);
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
        <Link to="/leads">{words.back}</Link>
      </p>
    </Frame>
  );
}
