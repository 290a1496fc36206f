import type { Page } from 'playwright-core';

/** Which answers are lost on their way. */
interface Losing {
  /** Of the requests whose answers are counted, with `*` for any text. */
  readonly url: string;
  /** From 1. What happens as well comes first. */
  readonly answers: ReadonlyMap<number, () => Promise<void>>;
}

/** Has a page lose answers to requests that the API has done. */
export async function loseAnswers(page: Page, { url, answers }: Losing): Promise<void> {
  const network = await page.context().newCDPSession(page);
  let counted = 0;
  const pass = async (requestId: string): Promise<void> => {
    counted += 1;
    const lose = answers.get(counted);
    await lose?.();
    await (lose
      ? network.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : network.send('Fetch.continueRequest', { requestId }));
  };
  network.on('Fetch.requestPaused', ({ requestId }) => void pass(requestId));
  await network.send('Fetch.enable', { patterns: [{ urlPattern: url, requestStage: 'Response' }] });
}

/** Holds answers of the API back until they are released. */
export async function holdAnswers(page: Page, url: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const hasHeld = page.waitForRequest(url);
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await released;
    // Where it is no longer awaited it is not taken.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return {
    /** Once one was asked for. */
    hasHeld,
    release: () => {
      release();
      return page.unroute(url);
    },
  };
}
