import { useEffect, useRef, useState } from 'react';
import { Button, ButtonLink } from '../design/button.tsx';
import { Facts } from '../design/facts.tsx';
import { TextField } from '../design/field.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { PlainForm, type Values } from '../design/plain-form.tsx';
import { SelectField } from '../design/select-field.tsx';
import { useBlobUrl } from '../design/use-blob-url.ts';
import { useUnsavedPart } from '../design/use-unsaved.ts';
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
  useUnsavedPart({ lostWith: 'page', isUnsaved: () => archive.isPending });
  return (
    <PlainForm refusal={archive.error} onSubmit={(values) => archive.mutate(pdfsOf(values))}>
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
      {archive.isPending && <Notice kind="news">{words.running}</Notice>}
      {archive.isSuccess && <Saved archive={archive.data} part={part} />}
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

/** Saves what was fetched, and again where a browser has asked first. */
function Saved({ archive, part }: PartProps & { readonly archive: Blob }) {
  const words = useWords(exportWords);
  const formats = useFormats();
  const url = useBlobUrl(archive);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (url !== undefined) link.current?.click();
  }, [url]);
  const file = exportedFiles[part];
  const megabytes = formats.number(Math.max(0.1, Math.round(archive.size / 100_000) / 10));
  return (
    <>
      <Notice kind="success">{words.saved(megabytes)}</Notice>
      {url !== undefined && (
        <Row>
          <ButtonLink ref={link} href={url} download={file}>
            {words.again(file)}
          </ButtonLink>
        </Row>
      )}
    </>
  );
}
