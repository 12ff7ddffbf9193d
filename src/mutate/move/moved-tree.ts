/**
 * The tree as import resolution will see it when files have moved: nothing at the old paths, the files at the new ones, and configuration
 * files with texts of our choosing. Everything else is the tree of now.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import type { CompilerEdit, FileMove, ItemDraft } from '../compiler/session/messages.ts';
import { pathNamed } from './path-style.ts';

export type Moves = ReadonlyMap<string, string>;

export function createMovedTree(
  world: ResolveWorld,
  moves: Moves,
  texts: ReadonlyMap<string, Uint8Array> = new Map(),
): ResolveWorld {
  const gone = new Set(moves.keys());
  const come = [...moves.values()].sort(compareCodeUnits);
  const back = new Map([...moves].map(([from, to]) => [to, from]));
  const isCome = new Set(come);
  const arrange = (paths: readonly string[], arriving: readonly string[]): readonly string[] =>
    [...paths.filter((path) => !gone.has(path)), ...arriving].sort(compareCodeUnits);
  let all: readonly string[] | undefined;
  return {
    hasFile: (path) => isCome.has(path) || (!gone.has(path) && world.hasFile(path)),
    hasDirectory: (path) => come.some((one) => path === '' || one.startsWith(`${path}/`)) || world.hasDirectory(path),
    listDirectory: (path) =>
      arrange(
        world.listDirectory(path),
        come.filter((one) => directoryOf(one) === path),
      ),
    filesProviding: (name) => world.filesProviding(name).map((path) => moves.get(path) ?? path),
    readConfig: (path) => texts.get(path) ?? world.readConfig(back.get(path) ?? path),
    configFilesNamed: (name) =>
      arrange(
        world.configFilesNamed(name),
        come.filter((one) => one === name || one.endsWith(`/${name}`)),
      ),
    allFiles: () => {
      all ??= arrange(world.allFiles(), come);
      return all;
    },
  };
}

/** Relative to a file that moves too, by the same way. */
export function movesAlong(path: string, written: string, moves: Moves): boolean {
  const named = pathNamed(directoryOf(path), written);
  const [target, home] = [moves.get(named), moves.get(path)];
  return target !== undefined && home !== undefined && pathNamed(directoryOf(home), written) === target;
}

// What a move asks to be written anew, while it is collected and when it is whole.

/** `directory`: moves as a whole, so its own path counts too. */
export type Moving = { readonly moves: Moves; readonly directory: FileMove | null };

export type MoveChanges = {
  readonly edits: readonly CompilerEdit[];
  readonly items: readonly ItemDraft[];
  /** Of every file that was read for its specifiers, or is asked about. */
  readonly texts: Readonly<Record<string, string>>;
  /** Mentions in prose and comments, which stay. */
  readonly mentions: readonly { readonly path: string; readonly start: number }[];
  readonly scanned: number;
  readonly notScanned: readonly { readonly path: string; readonly why: string }[];
};

export type Found = {
  readonly edits: CompilerEdit[];
  readonly items: ItemDraft[];
  readonly mentions: { path: string; start: number }[];
};
