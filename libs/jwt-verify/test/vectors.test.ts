import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { TokenError } from '../src/tokens/errors.ts';
import { parseJws } from '../src/tokens/jws.ts';
import { importKey } from '../src/issuer/key-set.ts';

interface Vector {
  readonly tcId: number;
  readonly comment: string;
  readonly jws: unknown;
  readonly result: 'valid' | 'invalid';
}

interface VectorGroup {
  readonly comment: string;
  readonly public?: JWK;
  readonly private?: JWK;
  readonly tests: readonly Vector[];
}

const repository = resolve(import.meta.dirname, '../../..');
const directory = process.env['TEST_VECTORS_DIR'] ?? resolve(repository, '../shared/vectors');
const file = resolve(directory, 'json_web_signature_test.json');
const present = existsSync(file);
const absence = `NOT RUN: the Wycheproof signature vectors, because there is no ${file}.
Everything else is tested. To run them too, download json_web_signature_test.json from the testvectors_v1 folder of
https://github.com/C2SP/wycheproof and set TEST_VECTORS_DIR to the folder that you put it in.`;
// A reporter may hide skipped tests.
if (!present) process.stderr.write(`\n${absence}\n\n`);

const groups = present
  ? (JSON.parse(readFileSync(file, 'utf8')) as { testGroups: readonly VectorGroup[] }).testGroups
  : [];
const cases = groups.flatMap((group) =>
  group.tests.map((vector) => ({ ...vector, group: group.comment, key: group.public ?? group.private })),
);
type Case = (typeof cases)[number];

/** The library verifies ES256 alone: the valid vectors of every other algorithm are refused by design. */
const isOurs = ({ key }: Case): boolean => key?.alg === 'ES256';

/** Accepts a vector as the verifier accepts the signature of a token; gives why not otherwise. */
async function refusal({ jws, key }: Case): Promise<string | undefined> {
  try {
    const parsed = parseJws(jws as string);
    const imported = key && (await importKey(key));
    if (!imported) return 'TOKEN_KEY_UNKNOWN';
    const isSigned = await imported.check(parsed.signingInput, parsed.signature);
    return isSigned ? undefined : 'TOKEN_SIGNATURE_INVALID';
  } catch (error) {
    if (error instanceof TokenError) return error.code;
    throw error;
  }
}

describe('the Wycheproof signature vectors', () => {
  beforeEach(({ skip }) => skip(!present, absence));

  it('are all there', () => {
    expect(cases).toHaveLength(401);
    expect(cases.filter(({ result }) => result === 'valid')).toHaveLength(46);
  });

  it('of ES256 are judged as they should be, without an exception [S-80]', async () => {
    const judged = await Promise.all(
      cases.filter(isOurs).map(async (vector) => [vector.tcId, (await refusal(vector)) === undefined]),
    );
    expect(judged).toEqual(cases.filter(isOurs).map(({ tcId, result }) => [tcId, result === 'valid']));
    expect(judged.filter(([, accepted]) => accepted)).toHaveLength(2);
  });

  it('of every other algorithm, key use or serialization are refused, the valid ones too [S-80]', async () => {
    const others = cases.filter((vector) => !isOurs(vector));
    const accepted = [];
    for (const vector of others) if ((await refusal(vector)) === undefined) accepted.push(vector.tcId);
    expect(others.length).toBeGreaterThan(350);
    expect(accepted).toEqual([]);
  });
});
