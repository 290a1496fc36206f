import { useBlocker } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useWords } from './language.ts';
import { Row } from './page.tsx';
import { unsaved } from './unsaved.ts';
import { unsavedWords } from './unsaved.words.ts';

/** Asks the user before unsaved changes are lost. */
export function Leaving() {
  const words = useWords(unsavedWords);
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && !(await unsaved.mayLeave('page')),
    enableBeforeUnload: unsaved.isUnsaved,
  });
  // When the session ends, the question is dismissed.
  useEffect(() => () => unsaved.getQuestion()?.stay(), []);
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
