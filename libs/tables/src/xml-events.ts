import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { notATable } from './tables.errors.ts';

/** What happens in a part of a workbook. Prefixes of names are left out. */
export interface XmlEvents {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML as it arrives, without entities of its own or anything outside of it; pauses after each piece of text.
 *
 * @throws VALIDATION_ERROR where it is not well-formed
 */
export async function* readXml(text: AsyncIterable<string>, events: XmlEvents): AsyncGenerator<void> {
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw notATable('damaged');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) =>
    events.open?.(localName(name), attributes as Record<string, string>),
  );
  parser.on('closetag', ({ name }: SaxesTagPlain) => events.close?.(localName(name)));
  parser.on('text', (part) => events.text?.(part));
  parser.on('cdata', (part) => events.text?.(part));
  let isThere = false;
  for await (const piece of text) {
    isThere = true;
    parser.write(piece);
    yield;
  }
  // A part that an archive does not have has nothing to say.
  if (isThere) parser.close();
  yield;
}

/** Reads a small part to its end. */
export async function readAllXml(text: AsyncIterable<string>, events: XmlEvents): Promise<void> {
  const pauses = readXml(text, events);
  for (let pause = await pauses.next(); !pause.done;) pause = await pauses.next();
}
