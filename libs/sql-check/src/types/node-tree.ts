/** A node of a query that PostgreSQL has analysed: its kind, as `VAR`, and its fields. */
export interface Node {
  readonly kind: string;
  readonly fields: Readonly<Record<string, Value>>;
}

/** What a field holds. Numbers, names and flags are texts; what is absent is null. */
export type Value = string | null | Node | readonly Value[];

/**
 * Reads the text in which PostgreSQL keeps an analysed query (`pg_node_tree`, as its `outfuncs.c` writes it). Sets and lists of
 * numbers, written `(b 1 2)`, become lists of texts.
 */
export function readNodeTree(text: string): Value {
  const tokens = text.match(/[(){}]|"(?:\\[^]|[^"\\])*"|(?:\\[^]|[^\s(){}\\])+/g) ?? [];
  let at = 0;

  function value(): Value {
    const token = tokens[at++];
    if (token === '{') return node();
    if (token === '(') return list();
    if (token === undefined || token === '<>') return null;
    return token.startsWith('"')
      ? token.slice(1, -1).replaceAll(/\\([^])/g, '$1')
      : token.replaceAll(/\\([^])/g, '$1');
  }

  function list(): readonly Value[] {
    const values: Value[] = [];
    while (tokens[at] !== ')') values.push(value());
    at += 1;
    return values[0] === 'b' || values[0] === 'i' || values[0] === 'o' ? values.slice(1) : values;
  }

  function node(): Node {
    const kind = tokens[at++] ?? '';
    const fields: Record<string, Value> = {};
    while (tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1);
      const values = [value()];
      while (!(tokens[at]?.startsWith(':') || tokens[at] === '}')) values.push(value());
      fields[name] = values.length === 1 ? (values[0] ?? null) : values;
    }
    at += 1;
    return { kind, fields };
  }

  return value();
}

/** Whether a value is a node, and of one of some kinds. */
export function isNode(value: Value | undefined, ...kinds: readonly string[]): value is Node {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  return kinds.length === 0 || kinds.includes(value.kind);
}

/** Whether a value is a list. */
export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** A field that is a node. */
export function nodeIn(node: Node, field: string): Node | undefined {
  const value = node.fields[field];
  return isNode(value) ? value : undefined;
}

/** The nodes of a field that is a list. */
export function nodesIn(node: Node, field: string): readonly Node[] {
  const value = node.fields[field];
  return isList(value) ? value.filter((one) => isNode(one)) : [];
}

/** A field that is a text; '' where it is absent. */
export function textIn(node: Node, field: string): string {
  const value = node.fields[field];
  return typeof value === 'string' ? value : '';
}

/** A field that is a number; 0 where it is absent. */
export function numberIn(node: Node, field: string): number {
  return Number(textIn(node, field));
}

/** A field that is a list of numbers. */
export function numbersIn(node: Node, field: string): readonly number[] {
  const value = node.fields[field];
  return isList(value) ? value.filter((one) => typeof one === 'string').map(Number) : [];
}

/** The nodes right below a node, those in its lists included. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node.fields).flatMap(nodesWithin);
}

function nodesWithin(value: Value): Node[] {
  if (isNode(value)) return [value];
  return isList(value) ? value.flatMap(nodesWithin) : [];
}
