import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Session } from './session';

const SECRET = process.env.TOKEN_SECRET ?? 'development';

function mac(payload: string): Buffer {
  return createHmac('sha256', SECRET).update(payload).digest();
}

/** Makes a signed token for a session. */
export function encodeToken(session: Session): string {
  const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `${payload}.${mac(payload).toString('base64url')}`;
}

/** Checks the signature of a token and returns its session. */
export function decodeToken(token: string): Session | undefined {
  const [payload, signature] = token.split('.');
  const given = Buffer.from(signature ?? '', 'base64url');
  const expected = mac(payload);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}
