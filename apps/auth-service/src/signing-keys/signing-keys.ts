import type { KeyObject } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import type { SecretRing } from '../secrets/auth-secret.ts';
import {
  generateSigningKey,
  openSigningKey,
  reencryptSigningKey,
  type StoredSigningKey,
} from './signing-key.ts';
import type { SigningKeysRepository } from './signing-keys.repository.ts';

/** The key that signs now. */
export interface Signer {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The keys of this process: read and decrypted once. */
export interface SigningKeys {
  signer(): Promise<Signer>;
  /** What verifiers read. */
  publicKeys(): Promise<JSONWebKeySet>;
}

/** What the use cases of signing keys need. */
export interface SigningKeysDependencies {
  readonly repository: SigningKeysRepository;
  readonly secrets: SecretRing;
  readonly now: () => Date;
}

interface Keyring {
  readonly signer: Signer;
  readonly publicKeys: JSONWebKeySet;
}

/** Makes the keyring; the very first use on an empty database creates a key. */
export function createSigningKeys({ repository, secrets, now }: SigningKeysDependencies): SigningKeys {
  let loading: Promise<Keyring> | undefined;

  const keyring = () => {
    loading ??= load().catch((error: unknown) => {
      // A database that was away must not leave the process without keys for ever.
      loading = undefined;
      throw error;
    });
    return loading;
  };

  async function load(): Promise<Keyring> {
    let stored = await repository.list();
    if (!stored.some(isActive)) {
      await repository.insertActive(await generateSigningKey(secrets), now());
      stored = await repository.list();
    }
    await renewEncryption(stored);
    const active = stored.find(isActive);
    if (!active) throw new Error('There is no active signing key, and none could be made.');
    return {
      signer: { kid: active.kid, privateKey: openSigningKey(active, secrets) },
      publicKeys: { keys: stored.map(({ publicJwk }) => publicJwk) },
    };
  }

  /** After a rotation of AUTH_SECRET, so that the previous one can go. */
  async function renewEncryption(stored: readonly StoredSigningKey[]): Promise<void> {
    for (const key of stored.filter(({ secretId }) => secretId !== secrets.current.id)) {
      await repository.replaceEncryption(reencryptSigningKey(key, secrets), key.secretId);
    }
  }

  return {
    signer: async () => (await keyring()).signer,
    publicKeys: async () => (await keyring()).publicKeys,
  };
}

const isActive = ({ state }: StoredSigningKey): boolean => state === 'active';
