// Starts one of the project's programs on a machine with nothing but Node and npm: installs what is missing,
// generates the Prisma clients, then runs the program on the Node that package-lock.json pins.
// This file and its folder run before anything is installed, on whatever Node there is: plain JavaScript, no imports.

const [major] = process.versions.node.split('.').map(Number);

if (major < 20) {
  console.error(
    `Tenantry needs Node 20 or later and this is ${process.versions.node}: get one from https://nodejs.org, then run the command again.`,
  );
  process.exitCode = 1;
} else {
  const { runTool } = await import('./bootstrap/run-tool.mjs');
  await runTool(process.argv.slice(2));
}
