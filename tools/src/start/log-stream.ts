import type { Writable } from 'node:stream';
import pinoPretty from 'pino-pretty';

/** Where the lines of all services meet. */
export interface LogStream {
  /** Takes one line that a service wrote; what is no JSON (a stack on standard error) is wrapped, as an error. */
  write: (service: string, line: string, level?: 'info' | 'error') => void;
  /** Lets through what was held back, and everything from now on. */
  release: () => void;
}

/** Pretty with the service's name on a terminal, JSON lines elsewhere; held back until released. */
export function createLogStream(output: Writable & { isTTY?: boolean }): LogStream {
  const format = output.isTTY ? prettyFormat() : (line: string) => `${line}\n`;
  let held: string[] | undefined = [];
  return {
    write(service, line, level = 'error') {
      const text = format(asJson(service, line, level));
      if (held) held.push(text);
      else output.write(text);
    },
    release() {
      for (const text of held ?? []) output.write(text);
      held = undefined;
    },
  };
}

function asJson(service: string, line: string, level: string): string {
  return isJsonObject(line)
    ? line
    : JSON.stringify({ level, time: new Date().toISOString(), service, msg: line });
}

function isJsonObject(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function prettyFormat(): (line: string) => string {
  const format = pinoPretty.prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,service,requestId,ip',
    messageFormat: (log, messageKey, _label, { colors }) =>
      `${colors.cyan(String(log['service']).padEnd(17))} ${String(log[messageKey])}`,
    singleLine: true,
  });
  return (line) => format(readable(JSON.parse(line) as Record<string, unknown>));
}

/** The line of a request as people read it: `GET /api/leads 200 in 3 ms`. */
function readable(log: Record<string, unknown>): Record<string, unknown> {
  if (log['msg'] !== 'request') return log;
  const { method, path, status, durationMs, ...rest } = log;
  return { ...rest, msg: `${String(method)} ${String(path)} ${String(status)} in ${String(durationMs)} ms` };
}
