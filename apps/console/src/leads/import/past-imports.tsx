import { ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useFormats, useWords } from '../../design/language.ts';
import { List, ListItem } from '../../design/list.tsx';
import { Notice } from '../../design/notice.tsx';
import { Panel } from '../../design/page.tsx';
import { Failure } from '../../failures/failure.tsx';
import { useImports, useUndoImport } from './import.queries.ts';
import { importWords } from './import.words.ts';
import { leftOutHref } from './left-out-href.ts';

/** The latest imports, which can be taken back. */
export function PastImports() {
  const { past: words, run } = useWords(importWords);
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
            ...(status === 'done' ? [words.imported(imported, formats.number(imported))] : []),
            ...(filled > 0 ? [run.filled(filled, formats.number(filled))] : []),
            ...(undone > 0 ? [words.undone(undone, formats.number(undone))] : []),
          ];
          return (
            <ListItem
              key={id}
              title={file ?? words.pasted}
              details={details}
              action={
                leftOut > 0 && (
                  <ButtonLink href={leftOutHref(id)} download={run.file}>
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
  const { past: words } = useWords(importWords);
  const formats = useFormats();
  const undo = useUndoImport();
  if (undo.data) {
    const { undone, kept, keptLeads } = undo.data;
    return (
      <Notice kind="success">
        <p>{words.undone(undone, formats.number(undone))}</p>
        {kept > 0 && (
          <p>
            {words.kept(kept, formats.number(kept))}{' '}
            <bdi>
              {keptLeads
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
      question={words.question}
      confirm={words.confirm}
      cancel={words.cancel}
      isBusy={undo.isPending}
      onConfirm={() => undo.mutate(id)}
    >
      {undo.error && <Failure error={undo.error} />}
    </Confirm>
  );
}
