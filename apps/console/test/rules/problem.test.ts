import { TenantryError } from '@tenantry/client';
import { describe, expect, test } from 'vitest';
import { DeviceError, type DeviceReason } from '../../src/failures/device-error.ts';
import { words as first } from '../../src/failures/failures.words.en.ts';
import { words as later } from '../../src/failures/later-failures.words.en.ts';
import { problemOf, sentencesOf } from '../../src/failures/problem.ts';
import { joined, saysAll } from '../../src/failures/use-failure-words.ts';

const words = joined(first, later);

type Refusal = ConstructorParameters<typeof TenantryError>[1];

const refused = (refusal: Refusal) => problemOf(new TenantryError('signUpWithEmail', refusal), words);

describe('what is shown for a failure', () => {
  test('comes from its reason, then from its code, and never from its message', () => {
    const message = 'for developers';
    const expired = { code: 'INVALID_TOKEN', reason: 'INVITATION_EXPIRED', message } as const;
    expect(refused(expired).text).toBe(words.reasons.INVALID_TOKEN.INVITATION_EXPIRED);
    expect(refused({ code: 'INVALID_TOKEN', message }).text).toBe(words.codes.INVALID_TOKEN);
  });

  test('says what is wrong with a field by its rule and its limit, the first finding of several', () => {
    const minLength = { field: 'password', rule: 'minLength', params: { limit: 8 }, message: '' } as const;
    const common = { field: 'password', rule: 'common', message: '' } as const;
    const { fields } = refused({ code: 'VALIDATION_ERROR', details: [minLength, common] });
    expect(fields).toEqual({ password: 'Use at least 8 characters.' });
  });

  test('names in the notice what no field shows, and points to fields only where one shows something', () => {
    const details = [
      { field: 'name', rule: 'required', message: '' },
      { field: 'body', rule: 'image', message: '' },
      { field: 'vatRate', rule: 'maximum', params: { limit: 100 }, message: '' },
    ] as const;
    const problem = refused({ code: 'VALIDATION_ERROR', details });
    const own = [words.rules.image({}), 'vatRate: At most 100.'];
    expect(sentencesOf(problem, new Set(['Fill this in.']), words)).toEqual([problem.text, ...own]);
    expect(sentencesOf(problem, new Set(), words)).toEqual(['name: Fill this in.', ...own]);
    expect(sentencesOf(refused({ code: 'VALIDATION_ERROR' }), new Set(), words)).toEqual([words.notAccepted]);
    expect(sentencesOf(refused({ code: 'CONFLICT' }), new Set(), words)).toEqual([words.codes.CONFLICT]);
  });

  test('names a request where the fault is ours, and not where its reader can mend it', () => {
    const requestId = '5d44922a';
    expect(refused({ code: 'INTERNAL', status: 500, requestId }).requestId).toBe(requestId);
    expect(refused({ code: 'INVALID_CREDENTIALS', status: 401, requestId }).requestId).toBeUndefined();
  });

  test('is a sentence for a code, a reason and a rule of a service that is newer than the page', () => {
    const newer = {
      code: 'FROM_THE_FUTURE',
      reason: 'UNHEARD_OF',
      details: [{ field: 'name', rule: 'telepathy', message: '' }],
    } as unknown as Refusal;
    expect(refused(newer)).toMatchObject({
      text: words.defect,
      fields: { name: words.notAccepted },
    });
  });

  test.each(Object.keys(words.device) as DeviceReason[])(
    'is a sentence for what a device refused: %s',
    (reason) => {
      expect(problemOf(new DeviceError(reason), words).text).toBe(words.device[reason]);
    },
  );

  test.each(Object.keys(words.rules) as (keyof typeof words.rules)[])(
    'is specific where the page has no such field: %s',
    (rule) => {
      const details = [{ field: 'picture', rule, message: '' }];
      const problem = refused({ code: 'VALIDATION_ERROR', details });
      expect(sentencesOf(problem, new Set(), words)).toEqual([`picture: ${words.rules[rule]({})}`]);
    },
  );

  test.each<[Refusal, boolean]>([
    [{ code: 'INVALID_CREDENTIALS' }, true],
    [{ code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' }, true],
    [{ code: 'VALIDATION_ERROR', details: [{ field: 'email', rule: 'format', message: '' }] }, true],
    [{ code: 'SLUG_TAKEN' }, false],
    [{ code: 'INVALID_TOKEN', reason: 'INVITATION_EXPIRED' }, false],
    [{ code: 'VALIDATION_ERROR', details: [{ field: 'logo', rule: 'image', message: '' }] }, false],
  ])('is looked for in further words where the first do not say it: %o', (refusal, isSaid) => {
    expect(saysAll(first, new TenantryError('signUpWithEmail', refusal))).toBe(isSaid);
  });

  test('is a sentence for what is no refusal at all', () => {
    expect(problemOf(new RangeError('deep inside'), words).text).toBe(words.defect);
  });
});
