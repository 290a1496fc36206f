import { pino, type DestinationStream, type Logger } from 'pino';
import { describeRequest } from './request-log.ts';

export type { Logger } from 'pino';

/** Options of a service's logger. */
export interface LoggerOptions {
  readonly name: string;
  readonly level: string;
  /** Where the lines go; standard output by default. */
  readonly destination?: DestinationStream;
}

/**
 * One JSON line per event, control characters escaped.
 *
 * Requests are logged without headers, body or query string, and errors without the values that database drivers quote, so that
 * no error brings a secret into the log.
 */
export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError, req: describeRequest, res: describeReply },
  };
  // Lines that arrive during a write are written together with the next one; at exit the rest is flushed.
  return pino(options, destination ?? pino.destination({ sync: false }));
}

const describeReply = ({ statusCode }: { statusCode: number }): object => ({ statusCode });

/** The logged parts of an error. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: readonly string[];
  readonly cause?: LoggedError;
}

const messageLengthMax = 500;
const causeDepthMax = 3;

/** Reduces an error to what helps an operator and carries no value of a request. */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is no Error was thrown', stack: [] };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: publicPartOf(error),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(error.cause !== undefined && depth < causeDepthMax
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
  };
}

/**
 * Prisma's messages quote the call with its arguments and end with the reason; only the reason is kept. Drivers may quote the
 * address that they could not reach; its user and password are removed.
 */
function publicPartOf(error: Error): string {
  const text = error.name.startsWith('Prisma')
    ? (error.message.trim().split('\n').at(-1) ?? '')
    : error.message;
  return text.replaceAll(/:\/\/[^\s/@]+@/g, '://').slice(0, messageLengthMax);
}
