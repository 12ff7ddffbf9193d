import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../', import.meta.url));

function listImporters(modules: RegExp): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => modules.test(readFileSync(file, 'utf8')))
    .map((file) => relative(source, file).split(sep).join('/'))
    .sort();
}

/** `import … from 'x'`, `import('x')`, `require('x')`, `getBuiltinModule('x')`. */
function importOf(modules: string): RegExp {
  return new RegExp(`(?:from|import|require|getBuiltinModule)\\s*\\(?\\s*['"\`](?:node:)?(?:${modules})['"\`]`);
}

test('G5 only kernel/exec can start a process', () => {
  expect(listImporters(importOf('child_process|cluster'))).toEqual([
    'kernel/exec/open-browser.ts',
    'kernel/exec/run-process.ts',
    'kernel/exec/start-self.ts',
  ]);
});

test('G5 no probe but external_docs imports a network module', () => {
  const importers = listImporters(importOf('net|tls|http|https|http2|dgram|dns|dns/promises|undici'));
  // Examples of `service_contracts` hold client code as text.
  const callers = listImporters(/\bfetch\(|\bnew WebSocket\b/).filter(
    (file) => !file.endsWith('/service-contracts.ts'),
  );
  const probes = [...importers, ...callers].filter((file) => file.startsWith('probes/'));
  expect(probes.filter((file) => !/external[_-]docs/.test(file))).toEqual([]);
});
