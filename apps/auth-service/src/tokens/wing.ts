import type { Ground } from '../ground/index.ts';
import { AccessTokens } from './access-tokens/access-tokens.ts';
import { CsrfTokens } from './csrf-tokens.ts';
import { createRevocations } from './revocations/revocations.ts';
import { keySchedule, type KeySchedule } from './signing-keys/key-schedule.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';

/** Dependencies of the wing. */
interface TokensDependencies extends Ground {
  /** Default: from the configuration. */
  readonly keySchedule?: KeySchedule | undefined;
}

/** Composes the wing. */
export function createTokens(dependencies: TokensDependencies) {
  const { config, tokenSecrets } = dependencies;
  const signingKeys = new SigningKeys({
    ...dependencies,
    schedule: dependencies.keySchedule ?? keySchedule(config.SIGNING_KEY_ROTATION_DAYS),
  });
  const csrfTokens = new CsrfTokens(tokenSecrets);
  const revocations = createRevocations(dependencies);
  return {
    accessTokens: new AccessTokens({ ...dependencies, signingKeys, csrfTokens }),
    csrfTokens,
    signingKeys,
    revocations: revocations.feed,
    background: {
      ...revocations.background,
      wakes: { ...revocations.background.wakes, signing_keys: () => signingKeys.wake() },
      work: [signingKeys],
    },
  };
}

/** Access tokens, the keys that sign them, and revocations. */
export type Tokens = ReturnType<typeof createTokens>;
