/** The language service, asked for the references at one place. */

import { openLanguageService, type ServicePlace } from '../language-service.ts';

export type ServiceAsk = ServicePlace & { readonly asks: number };
export type ServiceAnswer = {
  readonly version: string;
  readonly references: number;
  /** From the start of the process to its first answer, and for each later one. */
  readonly firstMs: number;
  readonly warmMs: readonly number[];
  readonly rssMb: number;
};

const ask = JSON.parse(process.argv[2] as string) as ServiceAsk;
const { version, service, position } = openLanguageService(ask);

const references = find();
const firstMs = performance.now();
const warmMs: number[] = [];
for (let at = 0; at < ask.asks; at += 1) {
  const started = performance.now();
  find();
  warmMs.push(performance.now() - started);
}
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ version, references, firstMs, warmMs, rssMb } satisfies ServiceAnswer));

function find(): number {
  const found = service.findReferences(ask.file, position()) ?? [];
  return found.reduce((sum, symbol) => sum + symbol.references.length, 0);
}
