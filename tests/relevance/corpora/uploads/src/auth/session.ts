import type { IncomingMessage } from 'node:http';

import { decodeToken } from './token';

/** Who is logged in. */
export interface Session {
  user: string;
  expiresAt: number;
}

/** Returns the session of a request, or nothing if its token is missing or has expired. */
export async function authenticate(request: IncomingMessage): Promise<Session | undefined> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== 'Bearer' || !token) return undefined;
  const session = decodeToken(token);
  return session && session.expiresAt > Date.now() ? session : undefined;
}
