/** Times the parsers that have a target (gather.md §12): a lockfile of 5 MB, npm ≤ 100 ms, pnpm ≤ 300 ms, yarn ≤ 200 ms. */

import { parseBunLock } from '../src/kernel/formats/lockfiles/bun-lock.ts';
import type { ResolvedLockfile } from '../src/kernel/formats/lockfiles/lockfile.ts';
import { parseNpmLock } from '../src/kernel/formats/lockfiles/npm-lock.ts';
import { parsePnpmLock } from '../src/kernel/formats/lockfiles/pnpm-lock.ts';
import { parseYarnBerryLock } from '../src/kernel/formats/lockfiles/yarn-berry-lock.ts';
import { parseYarnClassicLock } from '../src/kernel/formats/lockfiles/yarn-classic-lock.ts';
import type { ParseLimits, ParseOutcome } from '../src/kernel/formats/parse-outcome.ts';
import { parseYamlStrings } from '../src/kernel/formats/yaml.ts';

const wantedBytes = 5_000_000;
const rounds = 7;
const limits: ParseLimits = { maxBytes: 50 << 20, maxDepth: 64 };

/** A package as every writer below sees it. */
type Synthetic = {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly needs: readonly number[];
};

export async function benchParse(): Promise<void> {
  const subjects: readonly (readonly [
    string,
    (bytes: Uint8Array, limits: ParseLimits) => ParseOutcome<ResolvedLockfile>,
    number | undefined,
  ])[] = [
    ['npm', parseNpmLock, 100],
    ['pnpm', parsePnpmLock, 300],
    ['yarn-classic', parseYarnClassicLock, 200],
    ['yarn-berry', parseYarnBerryLock, 200],
    ['bun', parseBunLock, undefined],
  ];
  for (const [name, parse, targetMs] of subjects) {
    const bytes = new TextEncoder().encode(grow(writers[name] as Writer));
    const times: number[] = [];
    let packages = 0;
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      const outcome = parse(bytes, limits);
      times.push(performance.now() - start);
      packages = outcome.ok ? outcome.value.packages.length : -1;
    }
    report(`${name} lock, ${packages} packages`, bytes.length, times, targetMs);
  }
  // What the line reader saves: the same pnpm lock through the library alone.
  const bytes = new TextEncoder().encode(grow(writers['pnpm'] as Writer));
  const start = performance.now();
  parseYamlStrings(bytes, limits);
  report('pnpm lock by the library alone', bytes.length, [performance.now() - start], undefined);
}

function report(name: string, bytes: number, times: readonly number[], targetMs: number | undefined): void {
  const sorted = [...times].sort((a, b) => a - b);
  const [first = 0] = times;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const target = targetMs === undefined ? '' : `, target ${targetMs} ms`;
  console.log(
    `${name}, ${(bytes / 1e6).toFixed(1)} MB: first ${first.toFixed(0)} ms, median ${median.toFixed(0)} ms, ` +
      `spread ${sorted[0]?.toFixed(0)}–${sorted.at(-1)?.toFixed(0)} ms${target}`,
  );
}

type Writer = (packages: readonly Synthetic[]) => string;

/** As many packages as it takes to reach the size. */
function grow(write: Writer): string {
  const sample = write(listPackages(1000)).length / 1000;
  return write(listPackages(Math.ceil(wantedBytes / sample)));
}

function listPackages(count: number): Synthetic[] {
  return Array.from({ length: count }, (_, index) => ({
    name: index % 5 === 0 ? `@scope-${index % 97}/package-${index}` : `package-name-${index}`,
    version: `${index % 9}.${index % 31}.${index % 17}`,
    integrity: `sha512-${digest(index)}==`,
    needs: [1, 7, 13, 101].slice(0, index % 5).map((step) => (index + step) % count),
  }));
}

/** 86 characters that differ from package to package, without reading a clock or a random source. */
function digest(seed: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let state = (seed + 1) * 2_654_435_761;
  return Array.from({ length: 86 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet.charAt(state % 64);
  }).join('');
}

const writers: Readonly<Record<string, Writer>> = {
  npm: (packages) => {
    const entries = packages.map((each): [string, unknown] => [
      `node_modules/${each.name}`,
      {
        version: each.version,
        resolved: `https://registry.example/${each.name}/-/archive-${each.version}.tgz`,
        integrity: each.integrity,
        dev: true,
        license: 'MIT',
        dependencies: Object.fromEntries(each.needs.map((to) => [packages[to]?.name, `^${packages[to]?.version}`])),
        engines: { node: '>=18' },
      },
    ]);
    const lock = {
      name: 'root',
      lockfileVersion: 3,
      requires: true,
      packages: Object.fromEntries([['', {}], ...entries]),
    };
    return `${JSON.stringify(lock, null, 2)}\n`;
  },
  pnpm: (packages) => {
    const key = ({ name, version }: Synthetic) =>
      name.startsWith('@') ? `'${name}@${version}'` : `${name}@${version}`;
    const fetched = packages.map(
      (each) => `  ${key(each)}:\n    resolution: {integrity: ${each.integrity}}\n    engines: {node: '>=18'}\n`,
    );
    const snapshots = packages.map((each) => {
      const needs = each.needs.map((to) => packages[to] as Synthetic);
      const lines = needs.map(({ name, version }) => `      ${name.startsWith('@') ? `'${name}'` : name}: ${version}`);
      return needs.length === 0 ? `  ${key(each)}: {}\n` : `  ${key(each)}:\n    dependencies:\n${lines.join('\n')}\n`;
    });
    return [
      "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n\nimporters:\n\n  .: {}\n\npackages:\n",
      ...fetched,
      'snapshots:\n',
      ...snapshots,
    ].join('\n');
  },
  'yarn-classic': (packages) =>
    `# yarn lockfile v1\n\n\n${packages
      .map(({ name, version, integrity, needs }) => {
        const pattern = `${name}@^${version}`;
        const lines = needs.map((to) => `    "${packages[to]?.name}" "^${packages[to]?.version}"`);
        return [
          `${name.startsWith('@') ? `"${pattern}"` : pattern}:`,
          `  version "${version}"`,
          `  resolved "https://registry.example/${name}/-/archive-${version}.tgz#0123456789012345678901234567890123456789"`,
          `  integrity ${integrity}`,
          ...(lines.length > 0 ? ['  dependencies:', ...lines] : []),
          '',
        ].join('\n');
      })
      .join('\n')}`,
  'yarn-berry': (packages) =>
    `__metadata:\n  version: 8\n  cacheKey: 10c0\n\n${packages
      .map(({ name, version, needs }, index) => {
        const lines = needs.map((to) => {
          const { name: other, version: wanted } = packages[to] as Synthetic;
          return `    ${other.startsWith('@') ? `"${other}"` : other}: "npm:^${wanted}"`;
        });
        return [
          `"${name}@npm:^${version}":`,
          `  version: ${version}`,
          `  resolution: "${name}@npm:${version}"`,
          ...(lines.length > 0 ? ['  dependencies:', ...lines] : []),
          `  checksum: 10c0/${index.toString(16).padStart(128, '0')}`,
          '  languageName: node',
          '  linkType: hard',
          '',
        ].join('\n');
      })
      .join('\n')}`,
  bun: (packages) =>
    `{\n  "lockfileVersion": 1,\n  "workspaces": {\n    "": {},\n  },\n  "packages": {\n${packages
      .map(({ name, version, integrity, needs }) => {
        const dependencies = Object.fromEntries(needs.map((to) => [packages[to]?.name, `^${packages[to]?.version}`]));
        return `    "${name}": ["${name}@${version}", "", ${JSON.stringify({ dependencies })}, "${integrity}"],\n`;
      })
      .join('\n')}  }\n}\n`,
};
