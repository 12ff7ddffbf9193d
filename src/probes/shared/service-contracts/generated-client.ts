/** Clients that a generator wrote, by the note it leaves at the top of its files. */

const HEAD_BYTES = 3 * 1024;
const note = /generated (?:by|with|using|from|via)|do not (?:edit|modify|make direct changes)|@generated/i;

const generators: readonly (readonly [RegExp, string])[] = [
  [/openapi[- ]generator/i, 'openapi-generator'],
  [/swagger[- ]codegen/i, 'swagger-codegen'],
  [/openapi-typescript/i, 'openapi-typescript'],
  [/@hey-api\/openapi-ts/i, 'openapi-ts'],
  [/oapi-codegen/i, 'oapi-codegen'],
  [/openapi-python-client/i, 'openapi-python-client'],
  [/\borval v?\d/i, 'orval'],
  [/graphql-code-?gen(?:erator)?|@graphql-codegen/i, 'graphql-codegen'],
  [/genqlient/i, 'genqlient'],
  [/protoc-gen-go-grpc/i, 'protoc-gen-go-grpc'],
  [/protoc-gen-(?:connect-[a-z]{1,10}|grpc-web|ts_proto|ts)\b/i, 'protoc-gen-ts'],
  [/protobuf-ts/i, 'protobuf-ts'],
  [/ts-proto/i, 'ts-proto'],
  [/gRPC Python protocol compiler/i, 'grpc_tools'],
  [/grpc_tools_node_protoc|GENERATED CODE -- DO NOT EDIT/, 'grpc-tools'],
];

export function findGenerator(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString('latin1');
  const comment = leadingComment(head);
  return note.test(comment) ? generators.find(([mark]) => mark.test(comment))?.[1] : undefined;
}

/** The comment lines a file opens with; code that merely speaks of generators is not generated. */
function leadingComment(head: string): string {
  const lines = head.split('\n');
  let inBlock = false;
  const end = lines.findIndex((line) => {
    const text = line.trim();
    const isComment = inBlock || text === '' || /^(?:\/\/|\/\*|#|"""|'use |"use )/.test(text);
    if (/^(?:\/\*|""")/.test(text)) inBlock = true;
    if (text.includes('*/') || (text.length > 3 && text.endsWith('"""'))) inBlock = false;
    return !isComment;
  });
  return lines.slice(0, end < 0 ? lines.length : end).join('\n');
}
