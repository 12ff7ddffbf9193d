/** The language service, asked for the places to rename. */

import { openLanguageService, type ServicePlace } from '../language-service.ts';

export type RenameAsk = ServicePlace & { readonly newName: string };
export type RenameAnswer = {
  readonly version: string;
  readonly locations: number;
  /** From the start of the process to the answer, and for a second one. */
  readonly firstMs: number;
  readonly warmMs: number;
  /** Of the first. */
  readonly processorMs: number;
};

const ask = JSON.parse(process.argv[2] as string) as RenameAsk;
const { version, service, position } = openLanguageService(ask);

const locations = find();
const firstMs = performance.now();
const { user, system } = process.cpuUsage();
find();
const warmMs = performance.now() - firstMs;
const processorMs = (user + system) / 1000;
console.log(JSON.stringify({ version, locations, firstMs, warmMs, processorMs } satisfies RenameAnswer));

function find(): number {
  const found = service.findRenameLocations(ask.file, position(), false, false, {
    providePrefixAndSuffixTextForRename: false,
  });
  return found?.length ?? 0;
}
