/** The port that debuggers look for by themselves; a second service has the next one. */
const firstPort = 9_229;

const listening = /^Debugger listening on (ws:\/\/\S+)$/;
const chatter =
  /^(?:For help, see: https:\/\/nodejs\.org|Debugger (?:attached|ending)|Waiting for the debugger)/;

/** The inspector of one service, always at the same port, so that a debugger finds it again after a restart. */
export class Debugger {
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  /** The one of a service; undefined unless it is to be inspected. */
  static of(service: string, inspected: readonly string[] = []): Debugger | undefined {
    const index = inspected.indexOf(service);
    return index < 0 ? undefined : new Debugger(firstPort + index);
  }

  /** Arguments for Node. */
  get args(): readonly string[] {
    return [`--inspect=127.0.0.1:${this.#port}`];
  }

  /**
   * Reads a line that the service wrote: the address if it has one, empty where it says nothing else of interest, undefined
   * where it is not of the inspector.
   */
  read(line: string): string | undefined {
    return listening.exec(line)?.[1] ?? (chatter.test(line) ? '' : undefined);
  }
}
