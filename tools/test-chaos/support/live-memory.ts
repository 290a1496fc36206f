// Loaded into a service under test, with --expose-gc: on SIGUSR2 it says how much memory is in use once all garbage is gone.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  console.error(`live memory: ${heapUsed + external}`);
});
