export interface RetryOptions {
  attempts: number;
  baseMs: number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs an action until it succeeds, and waits longer after each failure. */
export async function retryWithBackoff<T>(
  action: () => Promise<T>,
  { attempts, baseMs }: RetryOptions = { attempts: 5, baseMs: 200 },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (attempt >= attempts) throw error;
      await sleep(baseMs * 2 ** (attempt - 1));
    }
  }
}
