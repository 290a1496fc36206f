/** The shell scripts of a section of a Markdown document, as they stand there. */
export function scriptsOf(markdown: string, title: string): readonly string[] {
  const start = new RegExp(`^#+ ${title}$`, 'm').exec(markdown);
  if (start === null) throw new Error(`No section is called ${title}.`);
  const section = markdown.slice(start.index + start[0].length).split(/^#+ /m)[0] ?? '';
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, script = '']) => script);
}
