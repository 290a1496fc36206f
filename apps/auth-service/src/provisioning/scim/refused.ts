import { isRefusal } from '@tenantry/envelope';
import { ScimError, type ScimType } from '@tenantry/service/failures';
import { arrivalCodes, type ArrivalCode } from '../../connections/index.ts';

/** A refusal that has words of its own in what owners read of their directory. */
export class Refused extends ScimError {
  readonly arrival: ArrivalCode;

  constructor(arrival: ArrivalCode, scimType: ScimType, detail: string) {
    super(scimType === 'invalidValue' ? 'VALIDATION_ERROR' : 'CONFLICT', scimType, detail);
    this.arrival = arrival;
  }
}

/** What owners read of a request that failed; undefined for what is not the directory's doing, and for what a limit refuses. */
export function arrivalOfFailure(error: unknown): ArrivalCode | undefined {
  if (error instanceof Refused) return error.arrival;
  if (!isRefusal(error) && !isOfFastify(error)) return undefined;
  const { code, statusCode } = error;
  if (statusCode >= 500 || code === 'RATE_LIMITED') return undefined;
  const known = arrivalCodes.find((one) => one === code);
  return known ?? ([400, 413, 415].includes(statusCode) ? 'REQUEST_INVALID' : 'REFUSED');
}

/** A body that Fastify itself does not take. */
function isOfFastify(error: unknown): error is { readonly code: string; readonly statusCode: number } {
  const { code, statusCode } = (error ?? {}) as { readonly code?: unknown; readonly statusCode?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number';
}
