import { describe, expect, it } from 'vitest';
import { Value } from 'typebox/value';
import { Type } from 'typebox';
import {
  ApiError,
  FailureSchema,
  PageOf,
  SuccessOf,
  failure,
  invalidField,
  page,
  success,
} from '@tenantry/envelope';

const now = new Date('2026-03-01T10:00:00.000Z');

describe('envelope', () => {
  it('wraps one item with timestamp and request id, as its schema says', () => {
    const answer = success({ id: 'a' }, 'req-1', undefined, now);
    expect(answer).toEqual({
      data: { id: 'a' },
      error: null,
      meta: { timestamp: '2026-03-01T10:00:00.000Z', requestId: 'req-1' },
    });
    expect(Value.Check(SuccessOf(Type.Object({ id: Type.String() })), answer)).toBe(true);
  });

  it('gives a list exactly total, page and pageSize', () => {
    const answer = page(['a'], { total: 11, page: 2, pageSize: 10, ...{ surplus: 1 } });
    expect(answer).toEqual({ data: ['a'], error: null, meta: { total: 11, page: 2, pageSize: 10 } });
    expect(Value.Check(PageOf(Type.String()), answer)).toBe(true);
  });

  it('tells of an error its code, message and details, and never its cause', () => {
    const error = new ApiError('CONFLICT', 'Taken.', { cause: new Error('secret DSN') });
    const answer = failure(error, 'req-2', now);
    expect(answer.error).toEqual({ code: 'CONFLICT', message: 'Taken.', details: [] });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(Value.Check(FailureSchema, answer)).toBe(true);
  });

  it('gives a code of the vocabulary its status and lets a service name its own', () => {
    expect(new ApiError('PRECONDITION_FAILED', 'm').statusCode).toBe(412);
    expect(new ApiError('SLUG_TAKEN', 'm', { statusCode: 409 }).statusCode).toBe(409);
  });

  it('names the field, the rule and what it was about beside the message of a finding', () => {
    const detail = {
      field: 'items[3].name',
      rule: 'maxLength',
      params: { limit: 5 },
      message: 'must be at most 5 characters',
    };
    const answer = failure(invalidField(detail), 'req-3', now);
    expect(answer.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'The request is not valid: items[3].name must be at most 5 characters.',
      details: [detail],
    });
    expect(Value.Check(FailureSchema, answer)).toBe(true);
  });
});
