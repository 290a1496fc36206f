import type { SecretRing } from '../../ground/index.ts';
import type { KeyStep } from './key-schedule.ts';
import { generateSigningKey } from './signing-key.ts';
import type { KeyWrite } from './signing-keys.repository.ts';

/** What steps write: a key is generated where one is to be made. */
export async function writesOf(steps: readonly KeyStep[], secrets: SecretRing): Promise<KeyWrite[]> {
  return Promise.all(
    steps.map(async (step): Promise<KeyWrite> => {
      if (step.kind !== 'make') return step;
      return { kind: 'add', key: await generateSigningKey(secrets.current, step.signsFrom) };
    }),
  );
}
