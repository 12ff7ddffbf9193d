/**
 * Services and rpcs of a `.proto` file (proto2, proto3, editions), by tokens: comments and strings are skipped as the language
 * defines them, every other block is passed over by its braces. No imports are followed. Linear, never throws.
 */

import { lineAt, malformed, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import type { Rpc } from './service-contracts-section.ts';

type ProtoService = { readonly name: string; readonly rpcs: readonly Rpc[] };

export type ProtoFile = { readonly package: string | null; readonly services: readonly ProtoService[] };

/** Text of the token, and where it starts. A string is its opening quote alone: nothing here reads one. */
type Token = { readonly text: string; readonly at: number };

const word = /[A-Za-z_.][A-Za-z0-9_.]*/y;

export function parseProto(text: string): ParseOutcome<ProtoFile> {
  const tokens = tokenize(text);
  if (!Array.isArray(tokens)) return malformed(tokens.detail, lineAt(text, tokens.at));
  let index = 0;
  const peek = (): string => tokens[index]?.text ?? '';
  const next = (): string => tokens[index++]?.text ?? '';
  const fail = (detail: string) => malformed(detail, lineAt(text, tokens[index]?.at ?? text.length));

  /** Past the end of a statement: its semicolon, or the block it opens. False when the file ends before. */
  const skipStatement = (): boolean => {
    let depth = 0;
    while (index < tokens.length) {
      const token = next();
      if (token === '{') depth += 1;
      else if (token === '}') {
        depth -= 1;
        if (depth <= 0) return depth === 0;
      } else if (token === ';' && depth === 0) return true;
    }
    return false;
  };

  /** `(stream? Type)`. */
  const readType = (): { type: string; stream: boolean } | undefined => {
    if (next() !== '(') return undefined;
    let type = next();
    const stream = type === 'stream' && peek() !== ')';
    if (stream) type = next();
    return isName(type) && next() === ')' ? { type: type.replace(/^\./, ''), stream } : undefined;
  };

  const readRpc = (): Rpc | undefined => {
    const name = next();
    const request = readType();
    if (request === undefined || next() !== 'returns') return undefined;
    const response = readType();
    if (response === undefined || !isName(name)) return undefined;
    if (peek() !== ';' && peek() !== '{') return undefined;
    if (!skipStatement()) return undefined;
    const streaming = request.stream ? (response.stream ? 'bidi' : 'client') : response.stream ? 'server' : 'none';
    return { name, request: request.type, response: response.type, streaming };
  };

  let packageName: string | null = null;
  const services: ProtoService[] = [];
  while (index < tokens.length) {
    const token = peek();
    if (token === 'package') {
      index += 1;
      const name = next();
      if (!isName(name)) return fail('package without a name');
      packageName = name;
      if (next() !== ';') return fail('package is not ended');
    } else if (token === 'service') {
      index += 1;
      const name = next();
      if (!isName(name) || next() !== '{') return fail('service without a name or body');
      const rpcs: Rpc[] = [];
      while (peek() !== '}') {
        if (index >= tokens.length) return fail('service is not closed');
        if (peek() === 'rpc') {
          index += 1;
          const rpc = readRpc();
          if (rpc === undefined) return fail('rpc is malformed');
          rpcs.push(rpc);
        } else if (!skipStatement()) return fail('service is not closed');
      }
      index += 1;
      services.push({ name, rpcs });
    } else if (token === ';') index += 1;
    else if (!skipStatement()) return fail('statement is not closed');
  }
  return parsed({ package: packageName, services });
}

function tokenize(text: string): Token[] | { readonly detail: string; readonly at: number } {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '/' && text.charAt(at + 1) === '/') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end + 1;
    } else if (char === '/' && text.charAt(at + 1) === '*') {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return { detail: 'comment is not closed', at };
      at = end + 2;
    } else if (char === '"' || char === "'") {
      const end = findStringEnd(text, at);
      if (end < 0) return { detail: 'string is not closed', at };
      tokens.push({ text: char, at });
      at = end + 1;
    } else {
      word.lastIndex = at;
      const name = word.exec(text)?.[0];
      if (name !== undefined) tokens.push({ text: name, at });
      else if (/[^\s]/.test(char)) tokens.push({ text: char, at });
      at += name?.length ?? 1;
    }
  }
  return tokens;
}

/** The closing quote; strings do not span lines. */
function findStringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote) return at;
    if (char === '\n') return -1;
    if (char === '\\') at += 1;
  }
  return -1;
}

function isName(text: string): boolean {
  return /^[A-Za-z_.]/.test(text);
}
