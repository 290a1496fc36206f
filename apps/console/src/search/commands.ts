import { folded } from '../design/folded.ts';

/** Something that can be done from everywhere. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** The keys that do it: `g l`. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Commands in whose title every word begins so: those first whose title begins with it. */
export function commandsFor(text: string, commands: readonly Command[]): readonly Command[] {
  const asked = folded(text).split(/\s+/).filter(Boolean);
  const matches = ({ title }: Command) => {
    const words = folded(title).split(/\s+/);
    return asked.every((part) => words.some((word) => word.startsWith(part)));
  };
  const found = commands.filter(matches);
  const begins = ({ title }: Command) => folded(title).startsWith(asked[0] ?? '');
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}

/** The place after the next one of a list that is walked in a circle; -1 of an empty one. */
export function stepIn(length: number, from: number, by: 1 | -1): number {
  return length === 0 ? -1 : (from + by + length) % length;
}
