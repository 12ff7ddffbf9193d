/** What no client library would send: bytes on the daemon's socket, and what comes back before it is closed. */

import { connect } from 'node:net';

export function sendRaw(at: string | { readonly port: number }, begun: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const place = typeof at === 'string' ? { path: at } : { host: '127.0.0.1', port: at.port };
    const socket = connect(place, () => socket.write(begun));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

/** So many chunks make 100 MB. */
export const floodChunks = 1600;

/** A chunked body of 100 MB behind these headers: the first line of the answer, and how many chunks were written before the end. */
export function sendFlood(
  socketPath: string,
  head: string,
): Promise<{ readonly status: string; readonly written: number }> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    let text = '';
    let written = 0;
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: text.split('\r\n')[0] ?? '', written }));
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const more = () => {
      while (written < floodChunks && !socket.destroyed) {
        written += 1;
        if (!socket.write(chunk)) {
          socket.once('drain', more);
          return;
        }
      }
    };
    more();
  });
}
