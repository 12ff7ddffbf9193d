import { isSpecType } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { readMessage } from './read-message.ts';

const read = (text: string) => readMessage(Buffer.from(text), isSpecType.JSONRPCMessage);
const ping = (more: string) => `{"jsonrpc":"2.0","method":"ping"${more}}`;

test.each([
  ['{bad', null, -32700, 'not JSON in UTF-8'],
  [ping(`,"id":1,"params":{"a":${'['.repeat(120)}${']'.repeat(120)}}`), null, -32600, 'deeper than 100 levels'],
  ['[]', null, -32600, 'batches are not taken'],
  ['7', null, -32600, 'not a JSON-RPC 2.0 message'],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', null, -32600, 'not a JSON-RPC 2.0 message'],
  [ping(',"id":{"a":1}'), null, -32600, 'an id is a string or a whole number'],
  [ping(',"id":1.5'), null, -32600, 'an id is a string or a whole number'],
  [ping(',"id":null'), null, -32600, 'an id is a string or a whole number'],
  [ping(',"id":1,"id":2'), 2, -32600, 'a key is given twice'],
  [ping(',"id":"a","__proto__":{}'), 'a', -32600, '__proto__'],
  ['{"jsonrpc":"2.0","id":3}', 3, -32600, 'neither a method nor an answer'],
  [ping(',"id":3,"params":[]'), 3, -32600, 'no message of the protocol'],
])('%s is refused, under its id where it has one', (text, id, code, message) => {
  expect(read(text)).toEqual({ problem: { id, error: { code, message: expect.stringContaining(message) } } });
});

test.each(['', ',"id":1', ',"id":"a"', ',"id":1,"params":{"a":[1]}'])('a message%s is taken', (more) => {
  expect(read(ping(more))).toEqual({ message: JSON.parse(ping(more)) });
});
