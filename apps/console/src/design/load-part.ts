const attemptsMax = 5;
const firstPauseMs = 100;

/**
 * Loads a part of the console that is a file of its own. While gateways of two versions answer at one address, one of them
 * does not have it: it is asked for again until the other one answers.
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
