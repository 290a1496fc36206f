const attemptsMax = 5;
const firstPauseMs = 100;

/**
 * Loads a separate file of the console. During a rollout, gateways of two versions share an address and one of them lacks the
 * file, so the load is retried until the other one responds.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      await pause(firstPauseMs * 2 ** (attempt - 1));
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
