import { describe, expect, test } from 'vitest';
import { worldOf } from '../../../test/support/resolve-world.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import { createRepoPackages, createSymbolKeys } from './symbol-key.ts';
import { createShapes } from './symbol-shape.ts';

function keysIn(files: Readonly<Record<string, string>>, family: Family, projectRoot = 'file:///home/me/code/repo') {
  const shapeOf = createShapes(family);
  const options = {
    projectRoot,
    documentBase: '',
    canonicalOf: (path: string) => (path === 'src/link.ts' ? 'src/a.ts' : path),
  };
  const keys = createSymbolKeys(createRepoPackages(worldOf(files)), family, options);
  return {
    claim: (raw: string, from: string) => keys.claim(shapeOf(raw), from),
    key: (raw: string, from = 'src/a.ts') => keys.keyOf(shapeOf(raw), from)?.key,
    of: (raw: string, from = 'src/a.ts') => keys.keyOf(shapeOf(raw), from),
  };
}

describe('TypeScript', () => {
  const files = {
    'package.json': '{"name": "root", "version": "1.0.0"}',
    'src/a.ts': '',
    'packages/x/package.json': '{"name": "@acme/x"}',
    'packages/x/src/i.ts': '',
    'one/package.json': '{}',
    'one/same.ts': '',
    'two/package.json': '{"private": true}',
    'two/same.ts': '',
    'two/only.ts': '',
    'src/link.ts': '',
  };
  const keys = keysIn(files, 'typescript');

  test('R19 a package of the repository is its place, whatever its version', () => {
    expect(keys.key('scip-typescript npm root 1.0.0 src/`a.ts`/K#m().')).toBe('typescript @ src/`a.ts`/K#m().');
    expect(keys.key('tsgo npm root 9.9.9 src/`a.ts`/K#m().')).toBe('typescript @ src/`a.ts`/K#m().');
    expect(keys.key('scip-typescript npm @acme/x HEAD src/`i.ts`/f().')).toBe('typescript @packages/x src/`i.ts`/f().');
  });

  test('R19 one name has one spelling', () => {
    expect(keys.key('scip-typescript npm root 1.0.0 src/`a.ts`/`K`#`m`().')).toBe('typescript @ src/`a.ts`/K#m().');
  });

  test('other packages keep their version', () => {
    expect(keys.of('scip-typescript npm lodash 4.0.0 `index.d.ts`/map().')).toMatchObject({
      key: 'typescript npm lodash 4.0.0 `index.d.ts`/map().',
      inRepo: false,
    });
  });

  test('packages without a name are told apart by their files, and equal ones by the asking file', () => {
    expect(keys.key('scip-typescript npm . . `only.ts`/x.')).toBe('typescript @two `only.ts`/x.');
    const same = 'scip-typescript npm . . `same.ts`/x.';
    expect(keys.key(same, 'one/same.ts')).toBe('typescript @one `same.ts`/x.');
    expect(keys.key(same, 'two/only.ts')).toBe('typescript @two `same.ts`/x.');
    expect(keys.of('scip-typescript npm . . `nowhere.ts`/x.')?.inRepo).toBe(false);
  });

  test('a link is the file that it leads to', () => {
    expect(keys.key('scip-typescript npm root 1.0.0 src/`link.ts`/x.')).toBe('typescript @ src/`a.ts`/x.');
  });

  test('a package that lies above the repository is cut off at its root', () => {
    const bare = keysIn({ 'src/a.ts': '', 'lib/b.ts': '' }, 'typescript');
    expect(bare.key('scip-typescript npm outer 1.0.0 code/repo/src/`a.ts`/x.')).toBe('typescript @ src/`a.ts`/x.');
    expect(bare.key('scip-typescript npm . . home/me/code/repo/lib/`b.ts`/x.')).toBe('typescript @ lib/`b.ts`/x.');
    // The same path in another package.
    expect(bare.of('scip-typescript npm other 1.0.0 lib/`b.ts`/x.')?.inRepo).toBe(false);
  });

  test('keys do not depend on what was asked before', () => {
    const raws = [
      'scip-typescript npm root 1.0.0 src/`a.ts`/',
      'scip-typescript npm root 1.0.0 src/`a.ts`/x.',
      'scip-typescript npm root 1.0.0 src/`a.ts`/`a b`.',
      'scip-typescript npm root 1.0.0 src/`a.ts`/`x`.',
      'scip-typescript npm root 1.0.0 src/`link.ts`/y.',
      'scip-typescript npm @acme/x HEAD src/`i.ts`/x.',
    ];
    const forth = keysIn(files, 'typescript');
    const back = keysIn(files, 'typescript');
    const first = raws.map((raw) => forth.key(raw));
    const second = [...raws].reverse().map((raw) => back.key(raw));
    expect(second.reverse()).toEqual(first);
    expect(first).toEqual(raws.map((raw) => keysIn(files, 'typescript').key(raw)));
  });
});

test('the roots of a package are put in order once for a directory, however many symbols are not found', () => {
  let asked = 0;
  const roots = Array.from({ length: 50 }, (_, at) => `fixtures/case${at}`);
  const packages = {
    rootsNamed() {
      asked += 1;
      return roots;
    },
    rootOf: () => '',
    hasFile: () => false,
    sourcesOf: () => [],
  };
  const options = { projectRoot: 'file:///r', documentBase: '', canonicalOf: (path: string) => path };
  const keys = createSymbolKeys(packages, 'typescript', options);
  const shapeOf = createShapes('typescript');
  for (let at = 0; at < 100; at += 1) {
    const shape = shapeOf(`scip-typescript npm shared 1.0.0 build/\`f.d.ts\`/g${at}().`);
    expect(keys.keyOf(shape, 'fixtures/case3/a.ts')?.package).toBe('@fixtures/case3');
  }
  expect(asked).toBeLessThan(5);
});

describe('other families', () => {
  test('Go modules and crates are found by name', () => {
    const go = keysIn({ 'go.mod': 'module example.com/fix\n', 'svc/go.mod': 'module example.com/svc\n' }, 'go');
    expect(go.key('scip-go gomod example.com/svc v1 `example.com/svc/in`/F().')).toBe(
      'go @svc `example.com/svc/in`/F().',
    );
    expect(go.of('scip-go gomod github.com/golang/go/src go1.21 fmt/')?.inRepo).toBe(false);
    const rust = keysIn({ 'Cargo.toml': '[workspace]\n', 'a/Cargo.toml': '[package]\nname = "a-b"\n' }, 'rust');
    expect(rust.key('rust-analyzer cargo a-b 0.1.0 m/F#')).toBe('rust @a m/F#');
  });

  test('a package whose symbols are defined here is ours, whatever it is called', () => {
    const python = keysIn(
      { 'svc/pyproject.toml': '[project]\nname = "My_Proj"\n', 'svc/m.py': '', 'x.py': '' },
      'python',
    );
    expect(python.key('scip-python python my-proj 0.1 m/C#')).toBe('python @svc m/C#');
    python.claim('scip-python python . 0 x/__init__:', 'x.py');
    expect(python.key('scip-python python . 0 x/C#')).toBe('python @ x/C#');
    expect(python.of('scip-python python requests 2.0 requests/get().')?.inRepo).toBe(false);
  });
});
