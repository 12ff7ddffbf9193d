/** `GET /v1/events`: server-sent events for as long as the client listens and the daemon lives. */

import type { ServerResponse } from 'node:http';
import { httpLimits } from './http-limits.ts';
import type { Service } from './service.ts';

export function streamEvents(service: Service, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = (text: string) => {
    if (response.writableLength > httpLimits.streamBacklogBytes) response.destroy();
    else if (!response.destroyed) response.write(text);
  };
  const { state, generation } = service.health();
  write(`event: hello\ndata: ${JSON.stringify({ type: 'hello', state, generation })}\n\n`);
  const unlisten = service.listen((event) => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  const heartbeat = setInterval(() => write(': still here\n\n'), httpLimits.heartbeatMs);
  const end = () => {
    unlisten();
    clearInterval(heartbeat);
    service.signal.removeEventListener('abort', end);
    response.end();
  };
  service.signal.addEventListener('abort', end, { once: true });
  response.once('close', end);
}
