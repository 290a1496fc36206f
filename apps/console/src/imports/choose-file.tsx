import { useState, type DragEvent } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { TextArea } from '../design/text-area.tsx';
import { Notice } from '../design/notice.tsx';
import { Panel, Row } from '../design/page.tsx';
import { chosenFile, type ChosenFile } from './import.queries.ts';
import { useImportWords } from './thing.queries.ts';

interface ChooseFileProps {
  readonly pasted: string;
  readonly onPasted: (text: string) => void;
  readonly onFile: (file: ChosenFile) => void;
}

/** A file, by choice or dropped, or rows from the clipboard. */
export function ChooseFile({ pasted, onPasted, onFile }: ChooseFileProps) {
  const { choose: words } = useImportWords();
  const [wrong, setWrong] = useState<'empty' | 'unreadable'>();
  const read = (file: File | undefined): void => {
    if (!file) return;
    if (file.size === 0) setWrong('empty');
    // It may have been moved or changed since it was chosen.
    else
      void file.arrayBuffer().then(
        (bytes) => onFile(chosenFile(new Blob([bytes]), file.name.slice(0, 200))),
        () => setWrong('unreadable'),
      );
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  };
  return (
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Panel title={words.title}>
        <p>{words.text}</p>
        {wrong !== undefined && <Notice kind="problem">{words[wrong]}</Notice>}
        <TextField
          name="file"
          type="file"
          accept=".csv,.txt,.tsv,.tab,.xlsx,.vcf,text/csv,text/plain,text/tab-separated-values,text/vcard"
          label={words.file}
          hint={words.drop}
          onChange={({ target }) => read(target.files?.[0])}
        />
        <TextArea
          name="rows"
          rows={5}
          label={words.paste}
          spellCheck={false}
          value={pasted}
          onChange={({ target }) => onPasted(target.value)}
        />
        <Row>
          <Button
            kind="primary"
            disabled={pasted.trim() === ''}
            onClick={() => onFile(chosenFile(new Blob([pasted]), undefined))}
          >
            {words.use}
          </Button>
        </Row>
      </Panel>
    </div>
  );
}
