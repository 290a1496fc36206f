import { useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Facts } from '../design/facts.tsx';
import { TextField } from '../design/field.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { PlainForm, type Values } from '../design/plain-form.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { exportedFiles, useArchive, type ExportedPart, type PdfChoice } from './export.queries.ts';
import { exportWords } from './export.words.ts';

interface PartProps {
  readonly part: ExportedPart;
}

/** What is in the archive of a part, and its download. */
export function ArchiveForm({ part }: PartProps) {
  const words = useWords(exportWords);
  const { title, inIt, notInIt } = words.parts[part];
  const archive = useArchive(part);
  const problem = useProblem(archive.error);
  const file = exportedFiles[part];
  const link = useRef<HTMLAnchorElement>(null);
  const follow = (href: string) => {
    if (!link.current) return;
    link.current.href = href;
    link.current.click();
  };
  return (
    <PlainForm
      refusal={archive.error}
      onSubmit={(values) => archive.mutate(pdfsOf(values), { onSuccess: follow })}
    >
      <Facts
        facts={[
          [words.inIt, inIt],
          [words.notInIt, notInIt],
        ]}
      />
      {part === 'quotes' && <PdfFields yearError={problem?.fields['year']} />}
      {archive.error !== null && <Refused error={archive.error} code={problem?.code} />}
      <Row>
        <Button type="submit" aria-label={words.downloadOf(title)} isBusy={archive.isPending}>
          {words.download}
        </Button>
      </Row>
      <a ref={link} href={archive.data} download={file} hidden>
        {file}
      </a>
      {archive.isSuccess && <Notice kind="news">{words.begun(file)}</Notice>}
    </PlainForm>
  );
}

function pdfsOf({ text }: Values): PdfChoice {
  const pdfs = text('pdfs');
  if (pdfs === 'year') return { year: Number(text('year')) };
  return pdfs === 'none' ? { pdfs } : {};
}

function PdfFields({ yearError }: { readonly yearError: string | undefined }) {
  const words = useWords(exportWords);
  const [chosen, choose] = useState('all');
  const [thisYear] = useState(() => String(new Date().getFullYear()));
  return (
    <>
      <SelectField
        {...{ name: 'pdfs', value: chosen, onChange: ({ target }) => choose(target.value) }}
        label={words.pdfs}
        hint={words.pdfsHint}
      >
        {(['all', 'none', 'year'] as const).map((choice) => (
          <option key={choice} value={choice}>
            {words.pdfChoices[choice]}
          </option>
        ))}
      </SelectField>
      {chosen === 'year' && (
        <TextField
          {...{ name: 'year', inputMode: 'numeric', autoComplete: 'off', defaultValue: thisYear }}
          label={words.year}
          hint={words.yearHint}
          error={yearError}
        />
      )}
    </>
  );
}

/** A refusal, and what it means for an export. */
function Refused({ error, code }: { readonly error: unknown; readonly code: string | undefined }) {
  const words = useWords(exportWords);
  const refusals: Readonly<Record<string, string | undefined>> = words.refusals;
  const meaning = refusals[code ?? ''];
  return (
    <>
      <Failure error={error} />
      {meaning !== undefined && <p>{meaning}</p>}
    </>
  );
}
