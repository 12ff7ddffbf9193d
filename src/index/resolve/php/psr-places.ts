/** Composer's PSR-4 rules, `autoload` and `autoload-dev` of every `composer.json`. A function of configuration files alone. */

import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import { objectAt, readConfigWith, stringsAt } from '../shared/config-values.ts';
import { below, directoryOf, isWithin, joinInRoot } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';

const mostFiles = 12;

export type PsrPlaces = {
  /** Where the class may be: longest prefix first, then the package that holds the asking file, then in the order written. */
  filesOf(from: string, name: string): readonly string[];
};

/** `home` is the directory of the `composer.json`. */
type Rule = { readonly prefix: string; readonly home: string; readonly directory: string };

export function readPsrPlaces(world: ResolveWorld): PsrPlaces {
  const rules = new Map<string, Rule[]>();
  for (const path of world.configFilesNamed('composer.json')) {
    const home = directoryOf(path);
    const manifest = readConfigWith(world, path, parseJsonObject) ?? {};
    for (const section of ['autoload', 'autoload-dev']) {
      const table = objectAt(manifest, section, 'psr-4');
      for (const written of Object.keys(table)) {
        const prefix = written.replace(/^\\+|\\+$/g, '');
        const known = rules.get(prefix) ?? [];
        rules.set(prefix, known);
        for (const relative of stringsAt(table, written)) {
          const directory = joinInRoot(home, relative);
          if (directory !== null) known.push({ prefix, home, directory });
        }
      }
    }
  }
  return {
    filesOf: (from, name) => {
      const parts = name.split('\\');
      const files = new Set<string>();
      for (let length = parts.length - 1; length >= 0; length -= 1) {
        const matching = rules.get(parts.slice(0, length).join('\\')) ?? [];
        const own = matching.filter(({ home }) => isWithin(from, home)).sort((a, b) => b.home.length - a.home.length);
        for (const { directory } of [...own, ...matching]) {
          files.add(`${below(directory, parts.slice(length).join('/'))}.php`);
          if (files.size >= mostFiles) return [...files];
        }
      }
      return [...files];
    },
  };
}
