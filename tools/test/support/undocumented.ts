import ts from 'typescript';

/** The exports of declaration files that say nothing about themselves, as `file: name`. */
export function undocumentedExports(declarations: readonly string[]): string[] {
  const program = ts.createProgram(declarations, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  return declarations.flatMap((declaration) => {
    const file = program.getSourceFile(declaration);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${declaration} is no module`);
    return checker
      .getExportsOfModule(module)
      .filter((symbol) => !isDocumentedNamespace(symbol))
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter((symbol) => symbol.getDocumentationComment(checker).length === 0)
      .map((symbol) => `${declaration}: ${symbol.name}`);
  });
}

/** `export * as name`, with a comment before it. */
function isDocumentedNamespace({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (node) => ts.isNamespaceExport(node) && ts.getJSDocCommentsAndTags(node.parent).length > 0,
  );
}
