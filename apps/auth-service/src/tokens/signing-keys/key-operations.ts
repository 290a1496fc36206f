import type { Ground } from '../../ground/index.ts';
import {
  publishedUntil,
  removalSteps,
  rotationSteps,
  signingKeyAt,
  type KeySchedule,
  type KeyStep,
} from './key-schedule.ts';
import { writesOf } from './key-steps.ts';
import { createSigningKeysRepository, type KeySnapshot } from './signing-keys.repository.ts';

/** A key as an operator sees it: `next` is announced, `signing` signs, `retired` still verifies. */
export interface ListedKey {
  readonly kid: string;
  readonly state: 'next' | 'signing' | 'retired';
  readonly signsFrom: Date;
  /** When it is no longer published; undefined while no other key follows it. */
  readonly publishedUntil: Date | undefined;
  /** Whether AUTH_SECRET itself encrypts it, not one of AUTH_SECRET_PREVIOUS. */
  readonly underCurrentSecret: boolean;
}

/** What operators do to signing keys; running instances follow. */
export interface KeyOperations {
  /** In the order in which they sign. */
  list(): Promise<ListedKey[]>;
  /** Announces the next key, unless one is announced already. */
  rotate(): Promise<ListedKey[]>;
  /**
   * Withdraws a key, of which nothing is left. No instance signs with it once the lease is over, and no verifier
   * accepts its tokens a minute later.
   *
   * @throws KeyUnknownError
   */
  remove(kid: string): Promise<ListedKey[]>;
}

/** There is no such key. */
export class KeyUnknownError extends Error {
  constructor(kid: string) {
    super(`There is no signing key ${kid}. "list" shows the keys there are.`);
    this.name = 'KeyUnknownError';
  }
}

/** What the operations need. No key is opened for them: one that cannot be decrypted can be removed. */
export interface KeyOperationsDependencies extends Pick<Ground, 'database' | 'secrets'> {
  readonly schedule: KeySchedule;
}

export function createKeyOperations(dependencies: KeyOperationsDependencies): KeyOperations {
  const { secrets, schedule } = dependencies;
  const { unscoped } = dependencies.database;
  const repository = createSigningKeysRepository();

  const change = async (decide: (snapshot: KeySnapshot) => readonly KeyStep[]) =>
    listed(await repository.change(unscoped, async (snapshot) => writesOf(decide(snapshot), secrets)));

  function listed({ keys, at }: KeySnapshot): ListedKey[] {
    const signing = signingKeyAt(keys, at);
    return keys.map((key, index) => ({
      kid: key.kid,
      state: key === signing ? 'signing' : key.signsFrom > at ? 'next' : 'retired',
      signsFrom: key.signsFrom,
      publishedUntil: publishedUntil(keys, index, schedule),
      underCurrentSecret: key.secretId === secrets.current.id,
    }));
  }

  return {
    list: async () => listed(await repository.read(unscoped)),
    rotate: () => change(({ keys, at }) => rotationSteps(keys, at, schedule)),
    remove: (kid) =>
      change(({ keys, at }) => {
        if (!keys.some((key) => key.kid === kid)) throw new KeyUnknownError(kid);
        return removalSteps(keys, at, kid);
      }),
  };
}
