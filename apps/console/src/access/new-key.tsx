import type { api } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import { useSessionStore } from '../sessions/sessions.queries.ts';
import { curlCommand, readableList } from './key-permissions.ts';
import { serviceAccountWords } from './service-accounts.words.ts';
import { ShownOnce } from './shown-once.tsx';

interface NewKeyProps {
  readonly created: api.CreateApiKeyAnswer;
  readonly onClose: () => void;
}

/** A new key, and a command that uses it. */
export function NewKey({ created: { key, apiKey }, onClose }: NewKeyProps) {
  const { shown: words } = useWords(serviceAccountWords);
  const { origin } = useSessionStore();
  const list = readableList(apiKey.permissions);
  const command = list && curlCommand(`${origin}${list}`, key);
  const secrets = [
    { name: 'key', label: words.key, text: key, copy: words.copyKey },
    ...(command === undefined
      ? []
      : [{ name: 'curl', label: words.curl, text: command, copy: words.copyCurl }]),
  ];
  return <ShownOnce {...{ words, secrets, onClose }} />;
}
