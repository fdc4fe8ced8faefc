/** Measures the speed of a transfer and estimates the time that is left. */
export class ProgressMeter {
  private sent = 0;
  private readonly started = performance.now();

  constructor(private readonly total: number) {}

  add(bytes: number) {
    this.sent += bytes;
  }

  get percent(): number {
    return Math.floor((100 * this.sent) / this.total);
  }

  /** Seconds until the transfer is done, at the speed so far. */
  remainingSeconds(): number {
    const perMs = this.sent / (performance.now() - this.started);
    return perMs === 0 ? Infinity : (this.total - this.sent) / perMs / 1000;
  }
}
