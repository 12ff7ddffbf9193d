/**
 * Which configuration a file is compiled under: the nearest `tsconfig.json` (else `jsconfig.json`) upwards that covers it, itself or
 * through the projects it references; where none does, the nearest one.
 */

import { directoryOf } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import type { ConfigFile, ReadConfigFile } from './config-file.ts';
import { type ConfigInputs, compileConfigInputs } from './config-inputs.ts';

export type GoverningConfig = { readonly config: ConfigFile | undefined; readonly covers: boolean };
export type FindGoverningConfig = (path: string) => GoverningConfig;

const projectsMax = 1_000;
const projectsPerDirectoryMax = 128;

type Project = { readonly config: ConfigFile; readonly inputs: ConfigInputs };

export function createFindGoverningConfig(world: ResolveWorld, read: ReadConfigFile): FindGoverningConfig {
  const projects = new Map<string, Project | null>();
  const chains = new Map<string, readonly Project[]>();
  const referenced = new Map<string, readonly Project[]>();
  const relevant = new Map<string, readonly Project[]>();

  const project = (path: string): Project | null => {
    const known = projects.get(path);
    if (known !== undefined) return known;
    const config = read(path);
    const made = config === undefined ? null : { config, inputs: compileConfigInputs(config) };
    projects.set(path, made);
    return made;
  };

  /** The configurations from this directory upwards, nearest first. */
  const chainAt = (directory: string): readonly Project[] => {
    const known = chains.get(directory);
    if (known !== undefined) return known;
    const above = directory === '' ? [] : chainAt(directoryOf(directory));
    const prefix = directory === '' ? '' : `${directory}/`;
    const name = ['tsconfig.json', 'jsconfig.json'].find((candidate) => world.hasFile(prefix + candidate));
    const own = name === undefined ? null : project(prefix + name);
    const chain = own === null ? above : [own, ...above];
    chains.set(directory, chain);
    return chain;
  };

  /** All projects reachable by references, nearest first; circles end where they began. */
  const referencedBy = (start: Project): readonly Project[] => {
    const known = referenced.get(start.config.path);
    if (known !== undefined) return known;
    const found = new Map<string, Project>();
    const pending = [...start.config.references];
    for (let at = 0; at < pending.length && found.size < projectsMax; at += 1) {
      const path = pending[at] as string;
      const next = found.has(path) || path === start.config.path ? null : project(path);
      if (next === null) continue;
      found.set(path, next);
      pending.push(...next.config.references);
    }
    const list = [...found.values()];
    referenced.set(start.config.path, list);
    return list;
  };

  /** The projects worth asking for files of one directory: per directory, so that a solution of hundreds costs a file nothing. */
  const relevantAt = (directory: string): readonly Project[] => {
    const known = relevant.get(directory);
    if (known !== undefined) return known;
    const reachable = chainAt(directory).flatMap((own) => [own, ...referencedBy(own)]);
    const list = [...new Set(reachable)]
      .filter(({ inputs }) => inputs.mayCover(directory))
      .slice(0, projectsPerDirectoryMax);
    relevant.set(directory, list);
    return list;
  };

  return (path) => {
    const directory = directoryOf(path);
    for (const { config, inputs } of relevantAt(directory)) if (inputs.covers(path)) return { config, covers: true };
    return { config: chainAt(directory)[0]?.config, covers: false };
  };
}
