import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useWords } from './language.ts';
import { Row } from './page.tsx';
import { unsavedWords } from './unsaved.words.ts';

interface LeaveDialogProps {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** Before something that is not saved is lost. */
export function LeaveDialog({ leave, stay }: LeaveDialogProps) {
  const words = useWords(unsavedWords);
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
