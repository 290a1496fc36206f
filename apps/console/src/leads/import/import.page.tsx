import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWords } from '../../design/language.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useUnsavedPart } from '../../design/use-unsaved.ts';
import type { GoodRow, BadRow } from './checked-file.ts';
import { ChooseFile } from './choose-file.tsx';
import { ImportProgress } from './import-progress.tsx';
import { importWords } from './import.words.ts';
import { ReviewFile } from './review-file.tsx';

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'review'; readonly text: string }
  | { readonly at: 'run'; readonly good: readonly GoodRow[]; readonly bad: readonly BadRow[] };

/** Imports leads from a file or the clipboard: choose, review, import. */
export function Page() {
  const words = useWords(importWords);
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [pasted, setPasted] = useState('');
  // A running import registers itself as unsaved.
  useUnsavedPart({ lostWith: 'page', isUnsaved: () => step.at !== 'run' && pasted.trim() !== '' });
  return (
    <Frame title={words.title}>
      {step.at === 'choose' && (
        <ChooseFile {...{ pasted }} onPasted={setPasted} onText={(text) => setStep({ at: 'review', text })} />
      )}
      {step.at === 'review' && (
        <ReviewFile
          text={step.text}
          onStart={(file) => setStep({ at: 'run', ...file })}
          onBack={() => setStep({ at: 'choose' })}
        />
      )}
      {step.at === 'run' && <ImportProgress good={step.good} bad={step.bad} />}
      <p>
        <Link to="/leads">{words.back}</Link>
      </p>
    </Frame>
  );
}
