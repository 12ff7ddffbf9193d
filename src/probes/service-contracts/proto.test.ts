import { expect, test } from 'vitest';
import { parseProto } from './proto.ts';

const read = (text: string) => {
  const outcome = parseProto(text);
  return outcome.ok ? outcome.value : outcome.failure;
};

test('services, streams, options and full type names; other blocks are passed over', () => {
  const text = `
    syntax = "proto3"; // rpc Not (A) returns (B);
    package shop.v1;
    import "google/protobuf/empty.proto";
    option go_package = "example.com/shop;shop";
    message Cart { message Item { string id = 1 [(x) = "}"]; } oneof o { int32 a = 2; } }
    enum E { A = 0; }
    /* service Ghost { rpc X (A) returns (B); } */
    service Carts {
      option (host) = "a;b{";
      rpc Get (GetRequest) returns (Cart) { option (google.api.http) = { get: "/v1/{id}" }; }
      rpc Watch(stream .shop.v1.Q) returns (stream google.protobuf.Empty);
      rpc Push (stream Item) returns (stream);
      rpc Pull (stream) returns (stream Item) {};
    }
    service Empty {}
  `;
  expect(read(text)).toEqual({
    package: 'shop.v1',
    services: [
      {
        name: 'Carts',
        rpcs: [
          { name: 'Get', request: 'GetRequest', response: 'Cart', streaming: 'none' },
          { name: 'Watch', request: 'shop.v1.Q', response: 'google.protobuf.Empty', streaming: 'bidi' },
          { name: 'Push', request: 'Item', response: 'stream', streaming: 'client' },
          { name: 'Pull', request: 'stream', response: 'Item', streaming: 'server' },
        ],
      },
      { name: 'Empty', rpcs: [] },
    ],
  });
});

test.each([
  ['/* open', 1],
  ['service A {\n rpc X (A) returns (B);', 2],
  ['service A { rpc X A returns (B); }', 1],
  ['message A {', 1],
  ['\noption a = "open\n";', 2],
  ['}', 1],
])('what is not closed or not a service is malformed: %s', (text, line) => {
  expect(read(text)).toMatchObject({ kind: 'malformed', line });
});

test.each([
  ['open braces', 'message A {'],
  ['comments', '/* '],
  ['quotes', `"\\"`],
  ['services', 'service A { rpc X (A) returns (B); }'],
  ['dots', '.'],
  ['slashes', '/'],
])('G16 5 000 times %s', (_, piece) => {
  expect(typeof parseProto(piece.repeat(5_000)).ok).toBe('boolean');
});
