import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useWords } from '../../design/language.ts';
import { Row } from '../../design/page.tsx';
import { editorWords } from './editor.words.ts';

interface LeaveDialogProps {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** Before something that is not saved is lost. */
export function LeaveDialog({ leave, stay }: LeaveDialogProps) {
  const { leave: words } = useWords(editorWords);
  return (
    <Dialog title={words.title} onClose={stay}>
      <p>{words.text}</p>
      <Row>
        <Button kind="primary" onClick={stay}>
          {words.stay}
        </Button>
        <Button kind="danger" onClick={leave}>
          {words.leave}
        </Button>
      </Row>
    </Dialog>
  );
}
