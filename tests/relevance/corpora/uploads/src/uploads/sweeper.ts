import { logger } from '../log';
import { bucket } from '../storage/bucket';
import type { UploadRegistry } from './registry';

/** Aborts uploads that nobody completes, and removes their parts. */
export class Sweeper {
  private timer?: NodeJS.Timeout;

  constructor(private readonly registry: UploadRegistry) {}

  start(everyMs = 600_000) {
    this.timer = setInterval(() => this.sweep(Date.now()), everyMs);
  }

  stop() {
    clearInterval(this.timer);
  }

  async sweep(now: number) {
    for (const upload of this.registry.abandoned(now)) {
      await bucket.removeAll(upload.id);
      this.registry.close(upload.id);
      logger.warn(`aborted upload ${upload.id} of ${upload.owner}`);
    }
  }
}
