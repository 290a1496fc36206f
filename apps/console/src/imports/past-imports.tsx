import { ButtonLink } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { useFormats } from '../design/language.ts';
import { List, ListItem } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Panel } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { useImports, useUndoImport } from './import.queries.ts';
import { useImportWords, useThing } from './thing.queries.ts';

/** The latest imports, which can be taken back. */
export function PastImports() {
  const { past: words, run, of } = useImportWords();
  const { url } = useThing();
  const formats = useFormats();
  const { data: imports = [] } = useImports({ isRunning: false });
  if (imports.length === 0) return null;
  return (
    <Panel title={words.title}>
      <List label={words.title}>
        {imports.map((each) => {
          const { id, file, startedAt, status, imported, filled, leftOut, undone } = each;
          const details = [
            formats.moment(startedAt),
            words.status[status],
            ...(status === 'done' ? [of.imported(imported, formats.number(imported))] : []),
            ...(filled > 0 ? [of.filled(filled, formats.number(filled))] : []),
            ...(undone > 0 ? [of.undone(undone, formats.number(undone))] : []),
          ];
          return (
            <ListItem
              key={id}
              title={file ?? words.pasted}
              details={details}
              action={
                leftOut > 0 && (
                  <ButtonLink href={`${url}/imports/${id}/left-out`} download={of.file}>
                    {run.report}
                  </ButtonLink>
                )
              }
            >
              {imported + filled > undone && <UndoImport id={id} />}
            </ListItem>
          );
        })}
      </List>
    </Panel>
  );
}

/** Takes an import back, and says what stays. */
export function UndoImport({ id }: { readonly id: string }) {
  const { past: words, of } = useImportWords();
  const formats = useFormats();
  const undo = useUndoImport();
  if (undo.data) {
    const { undone, kept, named } = undo.data;
    return (
      <Notice kind="success">
        <p>{of.undone(undone, formats.number(undone))}</p>
        {kept > 0 && (
          <p>
            {of.kept(kept, formats.number(kept))}{' '}
            <bdi>
              {named
                .slice(0, 10)
                .map(({ name }) => name)
                .join(', ')}
            </bdi>
          </p>
        )}
      </Notice>
    );
  }
  return (
    <Confirm
      action={words.undo}
      question={of.question}
      confirm={words.confirm}
      cancel={words.cancel}
      isBusy={undo.isPending}
      onConfirm={() => undo.mutate(id)}
    >
      {undo.error && <Failure error={undo.error} />}
    </Confirm>
  );
}
