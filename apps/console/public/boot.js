// Loads the console. While gateways of two versions answer at one address, a file of one may be asked of the other, which does
// not have it: it is asked for again until the right one answers.
const attemptsMax = 6;
const { main } = document.currentScript.dataset;

/** A failed module is remembered by its address. */
const again = (address, attempt) => (attempt === 0 ? address : `${address}?again=${attempt}`);
const pause = (attempt) => new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));

async function loadMain() {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      return await import(again(main, attempt));
    } catch (error) {
      if (attempt === attemptsMax - 1) throw error;
      await pause(attempt);
    }
  }
}

async function loadStyles() {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    const missing = [...document.querySelectorAll('link[rel=stylesheet]')].filter(
      ({ sheet }) => sheet === null,
    );
    if (missing.length === 0) return;
    for (const link of missing) link.href = again(link.href.split('?')[0], attempt);
    await pause(attempt);
  }
}

loadStyles();
loadMain().catch(() => {
  document.getElementById('root').textContent =
    'Tenantry could not be loaded. Check your connection, then load this page again.';
});
