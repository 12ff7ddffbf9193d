/**
 * The import of an index of at least 80 MB: the documents of a real one again and again, each time under another directory that holds
 * the same sources as a package of its own name, so that bytes fit and nothing is defined twice.
 */

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScip } from '../../src/kernel/formats/read-scip.ts';
import type { ScipDocument } from '../../src/kernel/formats/scip.ts';
import { createScipFile, encodeScip } from '../../src/kernel/formats/write-scip.ts';
import { createTable, mb, median, ms } from '../figures.ts';
import type { Decoded, Imported } from './import-child.ts';
import { indexApart } from './indexing.ts';
import { commitProject, copySources, ownConfig, type Project } from './projects.ts';
import { runChild } from './run-process.ts';

const wantedBytes = 80_000_000;

export async function benchLargeIndex(project: Project, output: string, scratch: string, pairs: number): Promise<void> {
  const root = join(scratch, 'large');
  const large = join(scratch, 'large.scip');
  const copies = multiply(project, output, root, large);
  const decoded: Decoded[] = [];
  const imported: Imported[] = [];
  const stateDir = join(scratch, 'large-data');
  for (let round = 0; round < pairs; round += 1) {
    // A copy of a store is not taken for the store: each round has one of its own.
    rmSync(stateDir, { recursive: true, force: true });
    await indexApart(root, stateDir);
    decoded.push(await runChild<Decoded>('./import-child.ts', { mode: 'decode', root, stateDir, output: large }));
    imported.push(await runChild<Imported>('./import-child.ts', { mode: 'import', root, stateDir, output: large }));
  }
  const [first] = imported;
  const table = createTable(
    `An index of ${(statSync(large).size / 1e6).toFixed(1)} MB: ${project.name} ${copies} times, ${first?.accepted} documents, ${pairs} pairs`,
  );
  const total = imported.map(({ prepareMs, commitMs }) => prepareMs + commitMs);
  const alone = decoded.map((run) => run.ms);
  const ratio = median(total) / median(alone);
  table.add({
    measure: 'import',
    ours: ms(total),
    peer: `decoding alone ${ms(alone)}`,
    ratio,
    target: { says: '≤ 6 × decoding', value: ratio, most: 6 },
  });
  table.add({ measure: '… of that preparing', ours: ms(imported.map(({ prepareMs }) => prepareMs)) });
  table.add({ measure: '… of that committing', ours: ms(imported.map(({ commitMs }) => commitMs)) });
  const peak = imported.map(({ rssMb }) => rssMb);
  table.add({
    measure: 'peak memory of the importing process',
    ours: `${mb(peak)} (${mb(imported.map(({ openedMb }) => openedMb))} before it began)`,
    peer: mb(decoded.map(({ rssMb }) => rssMb)),
    ratio: median(peak) / median(decoded.map(({ rssMb }) => rssMb)),
    target: { says: '≤ 400 MB', value: median(peak), most: 400 },
  });
  table.add({
    measure: 'redacted copy of the output, kept',
    ours: `${ms(imported.map(({ redactMs }) => redactMs))}, then ${mb(imported.map(({ endMb }) => endMb))}`,
  });
  rmSync(root, { recursive: true, force: true });
}

/** How many copies it takes; the last one holds as many documents as are missing, and only their sources. */
function multiply(project: Project, output: string, root: string, large: string): number {
  mkdirSync(root);
  writeFileSync(join(root, 'tsconfig.json'), ownConfig);
  const file = createScipFile(large);
  let [copies, bytes] = [0, 0];
  for (; bytes < wantedBytes; copies += 1) {
    const [copy, directory] = [copies, join(root, `c${copies}`)];
    mkdirSync(directory);
    copySources(project, directory);
    rmSync(join(directory, 'tsconfig.json'), { force: true });
    const rename = renamePackage(directory, copy);
    readScip(output, (part) => {
      if (part.kind === 'metadata' && copy === 0) file.write(part);
      if (part.kind !== 'document') return;
      if (bytes >= wantedBytes) {
        rmSync(join(directory, part.document.relativePath), { force: true });
        return;
      }
      const moved = { kind: 'document', document: moveDocument(part.document, copy, rename) } as const;
      bytes += encodeScip([moved]).length;
      file.write(moved);
    });
  }
  file.close();
  commitProject(root);
  return copies;
}

type Rename = (symbol: string) => string;

/** In the manifest, and as symbols spell it: ` npm <name> <version> `. */
function renamePackage(directory: string, copy: number): Rename {
  const path = join(directory, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string };
  const name = `${manifest.name}-c${copy}`;
  writeFileSync(path, JSON.stringify({ ...manifest, name }));
  const before = ` npm ${manifest.name} ${manifest.version} `;
  const after = ` npm ${name} ${manifest.version} `;
  const known = new Map<string, string>();
  return (symbol) => {
    const renamed = known.get(symbol) ?? symbol.replace(before, after);
    known.set(symbol, renamed);
    return renamed;
  };
}

function moveDocument(document: ScipDocument, copy: number, rename: Rename): ScipDocument {
  return {
    ...document,
    relativePath: `c${copy}/${document.relativePath}`,
    occurrences: document.occurrences.map((one) => ({ ...one, symbol: rename(one.symbol) })),
    symbols: document.symbols.map((one) => ({
      ...one,
      symbol: rename(one.symbol),
      enclosingSymbol: rename(one.enclosingSymbol),
      relationships: one.relationships.map((to) => ({ ...to, symbol: rename(to.symbol) })),
    })),
  };
}
