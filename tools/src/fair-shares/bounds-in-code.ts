import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Classes whose instances are shared by everyone whom a process serves. */
const sharedClass = /(?:Shares|Pool|Piscina|Worker|Limits|Limiter|Budget|Queue|Cache|Semaphore|Agent|Turns)$/;
/** What is named so is as much as there may be of something. */
const boundName = /(?:Max|_MAX)$|^cacheSize$|^max(?:Threads|Connections|Workers|Queue|Sockets)/;
/** Times, lengths of one text, and how often one piece of work is tried. */
const isOfOneThing =
  /(?:[lL]ength|Ms|Seconds|[dD]igits|[dD]epth|[aA]ttempts|[bB]atches|[fF]ailures)Max$|SECONDS_MAX$/;

/**
 * What is bounded in the code of apps and libs, each as `file: name`: constructions of what is shared, as
 * `file: new FairShares (uploads)` with what they are the value of, and numbers named `…Max`.
 */
export function boundsInCode(workspaceRoot: string): string[] {
  const files = globSync('{apps,libs}/*/src/**/*.ts', { cwd: workspaceRoot }).filter(isOfService);
  return files.flatMap((file) => boundsIn(file, readFileSync(join(workspaceRoot, file), 'utf8'))).toSorted();
}

/** Test kits, the console and what developers run serve no tenants. */
const isOfService = (file: string): boolean =>
  !/\/generated\/|^apps\/console\/|^libs\/(?:dev-database|test-kit|service-tests|fair-shares)\/|\/src\/testing/.test(
    file,
  );

/** The same of one file. */
export function boundsIn(file: string, source: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const construction = constructionOf(node);
    if (construction !== undefined) {
      // Its figures are those of the construction.
      found.add(`${file}: ${construction}`);
      return;
    }
    const name = boundOf(node);
    if (name !== undefined) found.add(`${file}: ${name}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return [...found];
}

function constructionOf(node: ts.Node): string | undefined {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const { text } = node.expression;
  return sharedClass.test(text) ? `new ${text} (${holderOf(node)})` : undefined;
}

/** The nearest name that something around a node has: a property, a variable or a function. */
function holderOf(node: ts.Node): string {
  let holder = '';
  ts.findAncestor(node.parent, (around) => {
    holder = nameOf(around);
    return holder !== '';
  });
  return holder;
}

function nameOf(node: ts.Node): string {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return node.left.getText().replace('this.', '');
  }
  const { name } = node as { name?: ts.Node };
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name.text : '';
}

function boundOf(node: ts.Node): string | undefined {
  const isNamedValue =
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node);
  if (!isNamedValue || !ts.isIdentifier(node.name)) return undefined;
  const { text } = node.name;
  const isNumber = node.initializer !== undefined && /(?<!\w)\d/.test(node.initializer.getText());
  return isNumber && boundName.test(text) && !isOfOneThing.test(text) ? text : undefined;
}
