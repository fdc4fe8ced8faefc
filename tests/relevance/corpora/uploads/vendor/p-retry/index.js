// A vendored copy of p-retry: retries an action with backoff until it succeeds.
export default async function pRetry(action, options = {}) {
  const attempts = options.retries ?? 10;
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 100));
    }
  }
  throw new Error('retry: no attempts left');
}
