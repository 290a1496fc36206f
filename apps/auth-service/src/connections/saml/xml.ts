import { DOMParser } from '@xmldom/xmldom';

/** A document that is not taken, and why, in a word for the log. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

/** The most that a document may have: what is parsed, searched and canonicalized is bounded before any of it begins. */
export interface XmlBounds {
  readonly bytes: number;
  /** Of `<`, so that two for each element with an end tag. */
  readonly tags: number;
  /** Of `=`: attributes, and ends of base64. */
  readonly equals: number;
  /** Of `xmlns`. */
  readonly namespaces: number;
  /** Whether there may be comments: only where nothing is signed. */
  readonly comments: boolean;
}

/** An XML declaration, which some write. There is no other instruction, and no other encoding. */
const declaration =
  /^\uFEFF?\s*(?:<\?xml\s+version=["']1\.0["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>\s*)?/i;
/** XML 1.0, 2.2. */
const noCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/**
 * Counts a document before it is parsed. A DOCTYPE, a processing instruction, a comment or a CDATA section is none that an IdP needs,
 * and makes a text read otherwise than it was signed.
 *
 * @returns the document without its declaration
 * @throws Unusable
 */
export function countXml(document: string, bounds: XmlBounds): string {
  if (Buffer.byteLength(document) > bounds.bytes) throw new Unusable('too-long');
  const xml = document.replace(declaration, '').trimEnd();
  if (countOf(xml, '<') > bounds.tags) throw new Unusable('too-many-elements');
  if (countOf(xml, '=') > bounds.equals) throw new Unusable('too-many-attributes');
  if (countOf(xml, 'xmlns') > bounds.namespaces) throw new Unusable('too-many-namespaces');
  if (xml.includes('<?')) throw new Unusable('instruction');
  const marked = countOf(xml, '<!');
  if (marked > (bounds.comments ? countOf(xml, '<!--') : 0)) throw new Unusable('doctype-or-comment');
  if (noCharacters.test(xml)) throw new Unusable('no-xml');
  return xml;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The root of a document whose counts are known. @throws Unusable for what is not well-formed, or has something beside its root */
export function parseXml(xml: string): Element {
  const document = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } });
  const parsed = parsedBy(document, xml);
  const nodes = Array.from(parsed.childNodes);
  const elements = nodes.filter(isElement);
  const [root] = elements;
  const others = nodes.filter((node) => !isElement(node) && node.nodeType !== commentNode);
  if (!root || elements.length > 1 || others.some((node) => node.nodeValue?.trim() !== '')) return fail();
  return root;
}

function parsedBy(parser: DOMParser, xml: string): Document {
  try {
    return parser.parseFromString(xml, 'text/xml');
  } catch {
    return fail();
  }
}

function fail(): never {
  throw new Unusable('no-xml');
}

const elementNode = 1;
const textNode = 3;
const commentNode = 8;

const isElement = (node: Node): node is Element => node.nodeType === elementNode;

/** An element and all below it, in the order of the document. */
export function elementsIn(element: Element): Element[] {
  return [element, ...childrenOf(element).flatMap(elementsIn)];
}

/** The elements in an element. */
export const childrenOf = (element: Element): Element[] => Array.from(element.childNodes).filter(isElement);

/** Whether an element has a name in a namespace. */
export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespace;

/** The elements of a name in an element. */
export const childrenNamed = (element: Element, namespace: string, name: string): Element[] =>
  childrenOf(element).filter((child) => isNamed(child, namespace, name));

/** The one element of a name in an element; undefined if there is none. @throws Unusable for several */
export function childNamed(element: Element, namespace: string, name: string): Element | undefined {
  const [child, ...others] = childrenNamed(element, namespace, name);
  if (others.length > 0) throw new Unusable(`several-${name}`);
  return child;
}

/** As {@link childNamed}. @throws Unusable also for none */
export function onlyChild(element: Element, namespace: string, name: string): Element {
  const child = childNamed(element, namespace, name);
  if (!child) throw new Unusable(`no-${name}`);
  return child;
}

/** The text of an element that has nothing but text; null for any other. */
export function textIn(element: Element): string | null {
  const nodes = Array.from(element.childNodes);
  if (!nodes.every((node) => node.nodeType === textNode)) return null;
  return nodes.map((node) => node.nodeValue ?? '').join('');
}

/** The value of an attribute without a prefix; null if there is none. */
export const attributeOf = (element: Element, name: string): string | null =>
  element.getAttributeNode(name)?.value ?? null;
