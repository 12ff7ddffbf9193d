/**
 * What a scoped refresh is for: an edit in the middle of a project, and in the next call a rename somewhere else, planned and proved. Of each
 * kind of name one, those that reach everything among them: `codegenie rename` as it is published, from its start to its end.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { createTable, ms } from '../figures.ts';
import { runProcess } from '../semantic/run-process.ts';
import { afterEdits, type Edit } from './edits.ts';

type Subject = {
  readonly says: string;
  readonly path: string;
  /** Up to the end of the name. */
  readonly line: RegExp;
  readonly newName: string;
};

const subjects: Readonly<Record<string, readonly Subject[]>> = {
  rxjs: [
    {
      says: 'a function',
      path: 'src/internal/util/isFunction.ts',
      line: /^export function isFunction/m,
      newName: 'isCallable',
    },
    { says: 'a class', path: 'src/internal/Subscriber.ts', line: /^export class Subscriber/m, newName: 'Receiver' },
    { says: 'a member', path: 'src/internal/Subscriber.ts', line: /^ {2}protected isStopped/m, newName: 'hasEnded' },
  ],
  viem: [
    {
      says: 'a function',
      path: 'utils/encoding/toHex.ts',
      line: /^export function boolToHex/m,
      newName: 'booleanToHex',
    },
    { says: 'a type that no type carries', path: 'types/misc.ts', line: /^export type Hex/m, newName: 'HexString' },
    {
      says: 'a type that keeps its place',
      path: 'types/contract.ts',
      line: /^export type ContractFunctionName/m,
      newName: 'ContractFunctionLabel',
    },
    {
      says: 'a class that changes its place',
      path: 'errors/base.ts',
      line: /^export class BaseError/m,
      newName: 'RootError',
    },
    { says: 'a member', path: 'zksync/types/fee.ts', line: /^ {2}gasPerPubdata/m, newName: 'gasPerData' },
    { says: 'a member', path: 'utils/rpc/socket.ts', line: /^ {2}requestAsync/m, newName: 'requestNow' },
    {
      says: 'a member that nearly every file can reach',
      path: 'types/chain.ts',
      line: /^ {2}blockTime/m,
      newName: 'blockInterval',
    },
  ],
};

/** Also a question back, or a refusal. */
const answered = [0, exitCodes.refused.code, exitCodes.needs_decision.code];

export async function benchRenames(
  name: string,
  root: string,
  program: string,
  edit: Edit,
  rounds: number,
): Promise<void> {
  const table = createTable(
    `${name}: an edit in \`${edit.path}\`, then \`codegenie rename\` with its proof, ${rounds} rounds`,
  );
  for (const { says, path, line, newName } of subjects[name] ?? []) {
    const place = findPlace(root, path, line);
    const command = [program, 'rename', place.target, newName, '--public-names', 'rename', '--quiet'];
    const run = () => runProcess(process.execPath, command, root, answered);
    const runs = await afterEdits(root, edit, rounds, run);
    table.add({ measure: `${says}: ${place.name} → ${newName}`, ours: ms(runs.map((one) => one.ms)) });
  }
}

function findPlace(root: string, path: string, line: RegExp): { readonly target: string; readonly name: string } {
  const text = readFileSync(join(root, path), 'utf8');
  const found = line.exec(text);
  const name = /\w+$/.exec(found?.[0] ?? '')?.[0];
  if (found === null || name === undefined) throw new Error(`${path} has no ${line}`);
  const lines = text.slice(0, found.index + found[0].length).split('\n');
  return { target: `${path}:${lines.length}:${(lines.at(-1)?.length ?? 0) - name.length + 1}`, name };
}
