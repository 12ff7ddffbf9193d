/**
 * Chains of middleware: a server object on which `.use(…)` is called, counted once however many are hung on it, and every
 * `consumer.apply(…)` of NestJS. An object is a server if this file makes it with a known maker; where the file does not make it,
 * its name decides.
 */

import type { Node } from 'web-tree-sitter';

const maker =
  /^(?:new\s+(?:Koa|Hono|Elysia|Router|KoaRouter|OpenAPIHono)\b|(?:express|Express|fastify|Fastify|connect|polka|restana|Router|restify\.createServer|express\.Router)\s*\()/;
const serverName = /^(?:app|router|server|api)$|(?:App|Router|Server)$/;
const chainMax = 32;

export function isServerMaker(value: string): boolean {
  return maker.test(value);
}

/** What the chain hangs on: the name of the object, or where it is made. */
export type Receiver =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'made'; readonly at: number };

export function findReceiver(called: Node, text: string): Receiver | undefined {
  let object = called.childForFieldName('object');
  for (let links = 0; object !== null && links < chainMax; links += 1) {
    const source = text.slice(object.startIndex, Math.min(object.endIndex, object.startIndex + 60));
    if (object.type === 'identifier') return { kind: 'name', name: source };
    if (object.type === 'member_expression') {
      const property = object.childForFieldName('property');
      return property === null ? undefined : { kind: 'name', name: text.slice(property.startIndex, property.endIndex) };
    }
    if (isServerMaker(source)) return { kind: 'made', at: object.startIndex };
    const inner: Node | null = object.type === 'call_expression' ? object.childForFieldName('function') : null;
    object = inner?.type === 'member_expression' ? inner.childForFieldName('object') : null;
  }
  return undefined;
}

export function isServerName(name: string): boolean {
  return serverName.test(name);
}
