import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Session } from './auth/session';
import { completeUpload, createUpload, putPart } from './uploads/controller';

export interface Route {
  matches(request: IncomingMessage): boolean;
  run(request: IncomingMessage, response: ServerResponse, session: Session): Promise<void>;
}

function route(method: string, pattern: RegExp, run: Route['run']): Route {
  return { matches: (request) => request.method === method && pattern.test(request.url ?? ''), run };
}

/** All routes, the most specific first. */
export const routes: Route[] = [
  route('PUT', /^\/uploads\/[^/]+\/parts\/\d+$/, putPart),
  route('POST', /^\/uploads\/[^/]+\/complete$/, completeUpload),
  route('POST', /^\/uploads$/, createUpload),
];
