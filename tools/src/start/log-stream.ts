import type { Writable } from 'node:stream';
import pinoPretty from 'pino-pretty';

/** Where the lines of all services meet. */
export interface LogStream {
  /** Takes one line that a service wrote; what is no JSON (a stack on standard error) is wrapped. */
  write: (service: string, line: string) => void;
  /** Lets through what was held back, and everything from now on. */
  release: () => void;
}

/** Pretty with the service's name on a terminal, JSON lines elsewhere; held back until released. */
export function createLogStream(output: Writable & { isTTY?: boolean }): LogStream {
  const format = output.isTTY ? prettyFormat() : (line: string) => `${line}\n`;
  let held: string[] | undefined = [];
  return {
    write(service, line) {
      const text = format(asJson(service, line));
      if (held) held.push(text);
      else output.write(text);
    },
    release() {
      for (const text of held ?? []) output.write(text);
      held = undefined;
    },
  };
}

function asJson(service: string, line: string): string {
  if (line.startsWith('{') && line.endsWith('}')) return line;
  return JSON.stringify({ level: 'error', time: new Date().toISOString(), service, msg: line });
}

function prettyFormat(): (line: string) => string {
  return pinoPretty.prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,service,requestId',
    messageFormat: (log, messageKey, _label, { colors }) =>
      `${colors.cyan(String(log['service']).padEnd(17))} ${String(log[messageKey])}`,
    singleLine: true,
  });
}
