import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeOciArchive, makeTar, type TarItem } from '../../../test/support/make-tar.ts';
import fc from '../../../test/support/properties.ts';
import { tracedFiles } from './image-packages.ts';
import { readImage } from './read-image.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codegenie-image-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function readArchive(
  bytes: Buffer,
  trace: readonly string[] | null = null,
  caps?: Parameters<typeof readImage>[1]['caps'],
) {
  const file = join(folder, 'image.tar');
  writeFileSync(file, bytes);
  return readImage(file, {
    traced: trace === null ? null : tracedFiles(trace),
    signal: new AbortController().signal,
    ...(caps === undefined ? {} : { caps }),
  });
}

async function packagesOf(layers: readonly (readonly TarItem[])[], trace: readonly string[] | null = null) {
  const image = await readArchive(makeOciArchive(layers.map((items) => gzipSync(makeTar(items)))), trace);
  if (image.kind === 'failed') throw new Error(image.reason);
  return image.catalogue.packages.map(({ type, name, version, reach }) => `${type} ${name} ${version} ${reach}`);
}

const npm = (name: string, version = '1.0.0', at = `app/node_modules/${name}`): TarItem => ({
  name: `${at}/package.json`,
  content: JSON.stringify({ name, version }),
});

const system: readonly TarItem[] = [
  { name: 'etc/os-release', content: 'NAME="Debian"\nID=debian\nVERSION_ID="12"\n' },
  {
    name: 'var/lib/dpkg/status',
    content: [
      'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nSource: glibc (2.36-9+deb12u1)\nVersion: 2.36-9+deb12u4\nDescription: GNU\n library\n',
      'Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n',
      'Package: curl\nStatus: install ok installed\nArchitecture: amd64\nVersion: 7.88.1-10\n',
    ].join('\n'),
  },
  { name: 'var/lib/dpkg/info/libc6:amd64.list', content: '/.\n/lib\n/lib/x86_64-linux-gnu/libc.so.6\n' },
  { name: 'var/lib/dpkg/info/curl.list', content: '/usr/bin/curl\n' },
];

describe('what tells of packages', () => {
  test('dpkg: what is installed, whose source has another name, and which of it the trace has seen through a merged /usr', async () => {
    expect(await packagesOf([system], ['/usr/lib/x86_64-linux-gnu/libc.so.6', '/usr/bin/node'])).toEqual([
      'deb curl 7.88.1-10 present',
      'deb libc6 2.36-9+deb12u4 loaded',
    ]);
    const image = await readArchive(makeOciArchive([makeTar(system)]));
    expect(image).toMatchObject({
      catalogue: {
        os: { id: 'debian', version: '12' },
        packages: [
          {
            name: 'curl',
            source: null,
            purl: 'pkg:deb/debian/curl@7.88.1-10?arch=amd64&distro=debian-12',
            reach: 'unknown',
          },
          {
            name: 'libc6',
            source: { name: 'glibc', version: '2.36-9+deb12u1' },
            purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u4?arch=amd64&distro=debian-12&upstream=glibc%402.36-9%2Bdeb12u1',
          },
        ],
      },
    });
  });

  test('dpkg in the form of distroless images', async () => {
    const items = [
      { name: 'var/lib/dpkg/status.d/tzdata', content: 'Package: tzdata\nVersion: 2024a-0+deb12u1\n' },
      { name: 'var/lib/dpkg/status.d/base', content: 'Package: base-files\nVersion: 12.4\n' },
      { name: 'var/lib/dpkg/status.d/base.md5sums', content: `${'0'.repeat(32)}  usr/bin/tool\n` },
    ];
    expect(await packagesOf([items], ['/usr/bin/tool'])).toEqual([
      'deb base-files 12.4 loaded',
      'deb tzdata 2024a-0+deb12u1 unknown',
    ]);
  });

  test('apk with the files each package owns', async () => {
    const installed =
      'C:Q1abc\nP:musl\nV:1.2.4-r2\nA:x86_64\no:musl\nF:lib\nR:ld-musl-x86_64.so.1\nZ:Q1x\n\nP:ssl_client\nV:1.36.1-r15\nA:x86_64\no:busybox\nF:usr/bin\nR:ssl_client\n\n';
    const items = [{ name: 'lib/apk/db/installed', content: installed }];
    expect(await packagesOf([items], ['/lib/ld-musl-x86_64.so.1'])).toEqual([
      'apk musl 1.2.4-r2 loaded',
      'apk ssl_client 1.36.1-r15 present',
    ]);
  });

  test('npm: a package counts, a folder within it does not, and a nested one is not its parent', async () => {
    const items = [
      npm('@scope/a'),
      npm('b', '2.0.0', 'app/node_modules/@scope/a/node_modules/b'),
      { name: 'app/node_modules/b/dist/esm/package.json', content: '{"type":"module"}' },
      { name: 'app/package.json', content: '{"name":"app","version":"1.0.0"}' },
      { name: 'app/node_modules/.package-lock.json', content: '{}' },
    ];
    expect(await packagesOf([items], ['/app/node_modules/@scope/a/node_modules/b/x.node'])).toEqual([
      'npm @scope/a 1.0.0 present',
      'npm b 2.0.0 loaded',
    ]);
  });

  test('python by dist-info, with what RECORD says it owns', async () => {
    const base = 'usr/lib/python3/site-packages';
    const items = [
      {
        name: `${base}/x-1.dist-info/METADATA`,
        content: 'Metadata-Version: 2.1\nName: X_y\nVersion: 1.0\n\nName: decoy\n',
      },
      { name: `${base}/x-1.dist-info/RECORD`, content: 'x/fast.so,sha256=,1\n../../../bin/x,sha256=,2\n' },
      { name: `${base}/z-1.dist-info/METADATA`, content: 'Name: z\nVersion: 2\n' },
    ];
    expect(await packagesOf([items], ['/usr/bin/x'])).toEqual(['python X_y 1.0 loaded', 'python z 2 unknown']);
  });

  test('an rpm database is noticed and nothing is made of it; a manifest that cannot be read is named', async () => {
    const items = [
      { name: 'var/lib/rpm/rpmdb.sqlite', content: 'SQLite format 3' },
      { name: 'app/node_modules/broken/package.json', content: '{"name":' },
    ];
    expect(await readArchive(makeOciArchive([makeTar(items)]))).toMatchObject({
      catalogue: { hasRpm: true, packages: [], unread: ['app/node_modules/broken/package.json'] },
    });
  });
});

describe('layers', () => {
  test('a whiteout hides a file, a folder, or all of a folder, in lower layers alone', async () => {
    const names = async (...layers: readonly (readonly TarItem[])[]) =>
      (await packagesOf(layers)).map((line) => line.split(' ')[1]);
    const lower = [npm('a'), npm('b'), npm('c')];
    expect(await names(lower, [{ name: 'app/node_modules/a/.wh.package.json' }])).toEqual(['b', 'c']);
    expect(await names(lower, [{ name: 'app/node_modules/.wh.b' }])).toEqual(['a', 'c']);
    expect(await names(lower, [npm('d'), { name: 'app/node_modules/.wh..wh..opq' }])).toEqual(['d']);
    expect(await names(lower, [{ name: '.wh.app' }], [npm('a', '2.0.0')])).toEqual(['a']);
    expect(await names(lower, [{ name: '.wh..wh..opq' }])).toEqual([]);
    // The same layer may hide what was there and bring its own.
    expect(await names(lower, [{ name: 'app/node_modules/.wh.a' }, npm('a', '2.0.0')])).toEqual(['a', 'b', 'c']);
  });

  test('a later file replaces an earlier one, a link or a file in the place of a folder hides what was below', async () => {
    expect(await packagesOf([[npm('a')], [npm('a', '2.0.0')]])).toEqual(['npm a 2.0.0 unknown']);
    expect(await packagesOf([[npm('a')], [{ name: 'app/node_modules', type: '2', linkName: '/x' }]])).toEqual([]);
    expect(
      await packagesOf([[npm('a')], [{ name: 'app/node_modules/a/package.json', type: '2', linkName: 'x' }]]),
    ).toEqual([]);
    expect(await packagesOf([[npm('a')], [{ name: 'app/node_modules/', type: '5' }]])).toEqual(['npm a 1.0.0 unknown']);
  });

  test('a hard link is read at its first name, wherever that is', async () => {
    const store = [
      { name: 'root/.store/0a', content: JSON.stringify({ name: 'linked', version: '3.0.0' }) },
      { name: 'srv/node_modules/linked/package.json', type: '1', linkName: 'root/.store/0a' },
    ];
    expect(await packagesOf([store])).toEqual(['npm linked 3.0.0 unknown']);
  });

  test('every packing of layers is understood, and the archive of docker too', async () => {
    const tar = makeTar([npm('a')]);
    for (const layer of [tar, gzipSync(tar), zstdCompressSync(tar)]) {
      expect(await readArchive(makeOciArchive([layer]))).toMatchObject({
        kind: 'read',
        catalogue: { packages: [{ name: 'a' }] },
      });
    }
    const docker = makeTar([
      { name: 'abc.tar', content: tar },
      { name: 'def/layer.tar', type: '2', linkName: '../abc.tar' },
      { name: 'manifest.json', content: JSON.stringify([{ Config: 'c.json', Layers: ['def/layer.tar'] }]) },
    ]);
    expect(await readArchive(docker)).toMatchObject({ kind: 'read', catalogue: { packages: [{ name: 'a' }] } });
  });

  test('G40 merging layers one by one is what a plain walk over files would give', async () => {
    const path = fc.constantFrom('a', 'b', 'x/a', 'x/b', 'x/y/a', 'x/y/b');
    const change = fc.oneof(
      fc.record({ put: path, version: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ drop: fc.constantFrom('a', 'b', 'x', 'x/a', 'x/y', 'x/y/b') }),
      fc.record({ empty: fc.constantFrom('', 'x', 'x/y') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 4 }), async (layers) => {
        // Every package lies in its own `node_modules`, so that names are free of meaning.
        const place = (at: string) => `r/${at}/node_modules/p`;
        const files = new Map<string, number>();
        const tars = layers.map((changes) => {
          const lower = [...files.keys()];
          const items = changes.map((each): TarItem => {
            if ('put' in each) return npm('p', `${each.version}.0.0`, place(each.put));
            if ('drop' in each) return { name: `r/${each.drop}`.replace(/([^/]+)$/, '.wh.$1') };
            return { name: `${`r/${each.empty}`.replace(/\/$/, '')}/.wh..wh..opq` };
          });
          for (const each of changes) {
            const below = 'drop' in each ? each.drop : 'empty' in each ? each.empty : null;
            if (below === null) continue;
            for (const key of lower)
              if (below === '' || key === below || key.startsWith(`${below}/`)) files.delete(key);
          }
          for (const each of changes) if ('put' in each) files.set(each.put, each.version);
          return makeTar(items);
        });
        const image = await readArchive(makeOciArchive(tars));
        const found =
          image.kind === 'read' ? image.catalogue.packages.map((each) => `${each.location} ${each.version}`) : image;
        expect(found).toEqual(
          [...files]
            .map(([at, version]) => `/${place(at)}/package.json ${version}.0.0`)
            .sort((a, b) => (a < b ? -1 : 1))
            .sort(byVersion),
        );
      }),
      { numRuns: 60 },
    );
  });
});

/** As packages are sorted: by version before location. */
function byVersion(a: string, b: string): number {
  const [, first = ''] = a.split(' ');
  const [, second = ''] = b.split(' ');
  return first < second ? -1 : first > second ? 1 : 0;
}

describe('hostile archives', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'no_manifest'],
    ['no archive', Buffer.from('x'.repeat(2000)), 'archive_bad_checksum'],
    ['a layer that is not there', makeTar([{ name: 'manifest.json', content: '[{"Layers":["x"]}]' }]), 'layer_missing'],
    [
      'a layer that is a link out of the archive',
      makeTar([
        { name: 'x', type: '2', linkName: '../../etc/passwd' },
        { name: 'manifest.json', content: '[{"Layers":["x"]}]' },
      ]),
      'layer_missing',
    ],
    [
      'an index of itself',
      makeTar([
        { name: 'index.json', content: '{"manifests":[{"digest":"sha256:a"}]}' },
        { name: 'blobs/sha256/a', content: '{"manifests":[{"digest":"sha256:a"}]}' },
      ]),
      'no_manifest',
    ],
    ['a layer that is cut', makeOciArchive([gzipSync(makeTar([npm('a')])).subarray(0, 60)]), 'layer_unreadable'],
    ['a layer that is no archive', makeOciArchive([Buffer.from('y'.repeat(600))]), 'layer_bad_checksum'],
  ])('%s', async (_what, bytes, reason) => {
    expect(await readArchive(bytes)).toEqual({ kind: 'failed', reason });
  });

  test('caps on unpacked bytes, entries and packages', async () => {
    const bomb = makeOciArchive([gzipSync(makeTar([{ name: 'zeros', content: Buffer.alloc(5_000_000) }]))]);
    const caps = { bytes: 1_000_000, entries: 100, facts: 10 };
    expect(await readArchive(bomb, null, caps)).toEqual({ kind: 'failed', reason: 'layer_too_many_bytes' });
    const many = (count: number) =>
      makeOciArchive([makeTar(Array.from({ length: count }, (_, index) => npm(`p${index}`)))]);
    expect(await readArchive(many(200), null, caps)).toEqual({ kind: 'failed', reason: 'layer_too_many_entries' });
    expect(await readArchive(many(50), null, caps)).toEqual({ kind: 'failed', reason: 'too_many_packages' });
  });

  test('a file that is not there, and an abort', async () => {
    const signal = new AbortController().signal;
    expect(await readImage(join(folder, 'none'), { traced: null, signal })).toEqual({
      kind: 'failed',
      reason: 'archive_ENOENT',
    });
    const file = join(folder, 'image.tar');
    writeFileSync(file, makeOciArchive([makeTar([npm('a')])]));
    await expect(readImage(file, { traced: null, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });
});
