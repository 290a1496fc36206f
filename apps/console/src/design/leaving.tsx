import { useBlocker } from '@tanstack/react-router';
import { use, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useWords } from './language.ts';
import { Row } from './page.tsx';
import { unsavedWords } from './unsaved.words.ts';
import { UnsavedContext } from './use-unsaved.ts';

/** Asks somebody who leaves before all is saved. */
export function Leaving() {
  const words = useWords(unsavedWords);
  const unsaved = use(UnsavedContext);
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && !(await unsaved.mayLeave('page')),
    enableBeforeUnload: unsaved.isUnsaved,
  });
  const question = useSyncExternalStore(unsaved.subscribe, unsaved.getQuestion);
  if (!question) return null;
  return (
    <Dialog title={words.title} onClose={question.stay}>
      <p>{words.text}</p>
      <Row>
        <Button kind="primary" onClick={question.stay}>
          {words.stay}
        </Button>
        <Button kind="danger" onClick={question.leave}>
          {words.leave}
        </Button>
      </Row>
    </Dialog>
  );
}
