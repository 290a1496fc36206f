import type { Ground } from '../../ground/index.ts';
import {
  publishedUntil,
  removalSteps,
  rotationSteps,
  signingKeyAt,
  type KeySchedule,
  type KeyStep,
} from './key-schedule.ts';
import { SigningKeysRepository, type KeySnapshot } from './signing-keys.repository.ts';

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

/** The key does not exist. */
export class KeyUnknownError extends Error {
  constructor(kid: string) {
    super(`There is no signing key ${kid}. "list" shows the keys there are.`);
    this.name = 'KeyUnknownError';
  }
}

/** Dependencies of the operations. They decrypt no key, so one that cannot be decrypted can be removed. */
interface KeyOperationsDependencies extends Pick<Ground, 'database' | 'secrets'> {
  readonly schedule: KeySchedule;
}

/** The operator's commands for signing keys; running instances follow. */
export class KeyOperations {
  readonly #dependencies: KeyOperationsDependencies;
  readonly #repository = new SigningKeysRepository();

  constructor(dependencies: KeyOperationsDependencies) {
    this.#dependencies = dependencies;
  }

  /** In the order in which they sign. */
  async list(): Promise<ListedKey[]> {
    return this.#listed(await this.#repository.read(this.#dependencies.database.unscoped));
  }

  /** Announces the next key, unless one is announced already. */
  rotate(): Promise<ListedKey[]> {
    return this.#change(({ keys, at }) => rotationSteps(keys, at, this.#dependencies.schedule));
  }

  /**
   * Withdraws and deletes a key. No instance signs with it once the lease has expired, and no verifier accepts its tokens a
   * minute later.
   *
   * @throws KeyUnknownError
   */
  remove(kid: string): Promise<ListedKey[]> {
    return this.#change(({ keys, at }) => {
      if (!keys.some((key) => key.kid === kid)) throw new KeyUnknownError(kid);
      return removalSteps(keys, at, kid);
    });
  }

  async #change(decide: (snapshot: KeySnapshot) => readonly KeyStep[]): Promise<ListedKey[]> {
    const { database, secrets } = this.#dependencies;
    return this.#listed(await this.#repository.change(database.unscoped, secrets.current, decide));
  }

  #listed({ keys, at }: KeySnapshot): ListedKey[] {
    const { secrets, schedule } = this.#dependencies;
    const signing = signingKeyAt(keys, at);
    return keys.map((key, index) => ({
      kid: key.kid,
      state: key === signing ? 'signing' : key.signsFrom > at ? 'next' : 'retired',
      signsFrom: key.signsFrom,
      publishedUntil: publishedUntil(keys, index, schedule),
      underCurrentSecret: key.secretId === secrets.current.id,
    }));
  }
}
