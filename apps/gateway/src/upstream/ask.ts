import type { Dispatcher } from 'undici';
import { failureOf, type UpstreamFailure } from './failure.ts';
import type { Instance } from './instance.ts';
import type { Upstream } from './upstream.ts';

/** A whole answer of a service to a question of the gateway's own. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const answerBytesMax = 16 * 1024;

/** No instance has answered. */
export class NotAnswered extends Error {
  readonly failure: UpstreamFailure | undefined;

  constructor(failure?: UpstreamFailure) {
    super('the service has not answered', { cause: failure?.cause });
    this.failure = failure;
  }
}

/**
 * Asks a service what may be asked twice: if an instance fails, another one, or the only one once more.
 *
 * @throws NotAnswered, also for an answer of more than 16 KiB
 */
export async function ask(upstream: Upstream, question: Dispatcher.DispatchOptions): Promise<ServiceAnswer> {
  const tried = new Set<Instance>();
  let error = new NotAnswered();
  let again: Instance | undefined;
  for (;;) {
    const instance = upstream.choose({ except: tried, repeatable: true }) ?? again;
    if (!instance) throw error;
    const answer = await askInstance(instance, question);
    if (!(answer instanceof NotAnswered)) return answer;
    error = answer;
    // A kept-alive connection may turn out to be closed.
    again = answer.failure?.kind === 'broken' && !tried.has(instance) ? instance : undefined;
    tried.add(instance);
  }
}

function askInstance(
  instance: Instance,
  question: Dispatcher.DispatchOptions,
): Promise<ServiceAnswer | NotAnswered> {
  return new Promise((resolve) => {
    let isSent = false;
    let head: Omit<ServiceAnswer, 'text'> = { status: 0, headers: {} };
    const pieces: Buffer[] = [];
    let size = 0;
    instance.dispatch(question, {
      onRequestStart() {
        isSent = true;
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        head = { status, headers };
        if (status < 400 && headers['connection'] === 'close') instance.leave();
        else instance.succeed();
      },
      onResponseData(controller, piece) {
        size += piece.length;
        if (size > answerBytesMax) controller.abort(new Error('the answer is too large'));
        else pieces.push(piece);
      },
      onResponseEnd() {
        instance.release();
        resolve({ ...head, text: Buffer.concat(pieces).toString() });
      },
      onResponseError(_controller, error) {
        const failure = failureOf(error, isSent);
        instance.release();
        instance.fail(failure.kind);
        resolve(new NotAnswered(failure));
      },
    });
  });
}
