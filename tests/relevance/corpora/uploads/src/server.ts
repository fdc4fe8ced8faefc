import { createServer, IncomingMessage, ServerResponse } from 'node:http';

import { authenticate } from './auth/session';
import { logger } from './log';
import { routes } from './routes';

/** Starts the HTTP server and routes each request. */
export function startServer(port: number) {
  const server = createServer((request, response) => handle(request, response));
  server.listen(port, () => logger.info(`listening on port ${port}`));
  return server;
}

async function handle(request: IncomingMessage, response: ServerResponse) {
  const session = await authenticate(request);
  if (!session) {
    response.writeHead(401).end('missing or expired session');
    return;
  }
  const route = routes.find((one) => one.matches(request));
  if (!route) {
    response.writeHead(404).end();
    return;
  }
  await route.run(request, response, session);
}
