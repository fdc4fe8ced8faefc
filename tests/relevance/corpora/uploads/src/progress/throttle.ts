/** Returns a function that calls `action` at most once in an interval. */
export function throttle<A extends unknown[]>(action: (...args: A) => void, intervalMs: number) {
  let last = -Infinity;
  return (...args: A) => {
    const now = performance.now();
    if (now - last < intervalMs) return;
    last = now;
    action(...args);
  };
}
