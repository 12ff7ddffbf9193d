import { expect, test } from 'vitest';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { baseNameOf, directoryOf } from '../../languages/resolving/root-paths.ts';
import { type Ground, lookAtCode } from './code-paths.ts';
import type { Found } from './moved-tree.ts';

/** Enough of a tree for paths: which files there are. */
function groundOf(files: readonly string[], moves: Readonly<Record<string, string>>): Ground {
  const world: ResolveWorld = {
    hasFile: (path) => files.includes(path),
    hasDirectory: (path) => files.some((file) => file.startsWith(`${path}/`)),
    listDirectory: (path) => files.filter((file) => directoryOf(file) === path),
    allFiles: () => files,
    filesProviding: () => [],
    readConfig: () => undefined,
    configFilesNamed: () => [],
  };
  return {
    moves: new Map(Object.entries(moves)),
    directory: null,
    world,
    workingDirectories: () => [''],
    countNamed: (name) => files.filter((file) => baseNameOf(file) === name).length,
  };
}

type Case = {
  readonly at: string;
  readonly text: string;
  readonly moves: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
};

/** The text with its edits, and the kinds that are asked with what they are about. */
async function look({ at, text, moves, files = [] }: Case): Promise<readonly string[]> {
  const found: Found = { edits: [], items: [], mentions: [] };
  await lookAtCode(at, 'javascript', text, groundOf([at, ...Object.keys(moves), ...files], moves), found);
  const edited = [...found.edits]
    .sort((a, b) => b.start - a.start)
    .reduce((sum, { start, end, newText }) => sum.slice(0, start) + newText + sum.slice(end), text);
  const asked = found.items.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
  return [...(edited === text ? [] : [edited]), ...asked];
}

const path = "import path from 'node:path';\n";
const move = { 'src/jobs/w.js': 'work/w.js' };

test('M36 literals that begin beside their file are written anew, each in its form', async () => {
  for (const [before, after] of [
    ["path.join(__dirname, 'jobs', 'w.js')", "path.join(__dirname, '../work', 'w.js')"],
    ["path.resolve(import.meta.dirname, 'jobs/w.js')", "path.resolve(import.meta.dirname, '../work/w.js')"],
    ["__dirname + '/jobs/w.js'", "__dirname + '/../work/w.js'"],
    ['`$' + '{__dirname}/jobs/w.js`', '`$' + '{__dirname}/../work/w.js`'],
  ] as const)
    expect(await look({ at: 'src/main.js', text: `${path}run(${before});`, moves: move })).toEqual([
      `${path}run(${after});`,
    ]);
});

test('M36 constants of the file are followed to where the path begins', async () => {
  const text = `${path}import { fileURLToPath } from 'url';\nconst here = path.dirname(fileURLToPath(import.meta.url));\nrun(path.join(here, 'jobs/w.js'));`;
  expect(await look({ at: 'src/main.js', text, moves: move })).toEqual([text.replace('jobs/w.js', '../work/w.js')]);
});

test('M36 a path that begins elsewhere, or has holes that fit, is a question', async () => {
  for (const [text, asked] of [
    ["run(path.join(process.cwd(), 'src', 'jobs', 'w.js'))", "path.join(process.cwd(), 'src', 'jobs', 'w.js')"],
    ["run(path.join(ROOT, 'jobs', 'w.js'))", "path.join(ROOT, 'jobs', 'w.js')"],
    ['import(`./jobs/$' + '{name}.js`)', '`./jobs/$' + '{name}.js`'],
    ["require(['.', 'jobs', name].join('/'))", "['.', 'jobs', name].join('/')"],
    ['import(name)', 'name'],
    ["run(path.join(__dirname, 'jobs', name))", "path.join(__dirname, 'jobs', name)"],
    ["execSync('node src/jobs/w.js --x')", "'node src/jobs/w.js --x'"],
  ] as const)
    expect(await look({ at: 'src/main.js', text: path + text, moves: move })).toEqual([`computed_path ${asked}`]);
});

test('M36 what cannot lead there is not asked about', async () => {
  for (const text of [
    'import(`./others/$' + '{name}.js`)',
    'import(`node:$' + '{name}`)',
    'import(`pkg/$' + '{name}`)',
    "for (const name of ['a', 'b']) import('./jobs/' + name + '.js')",
    "run(path.join(os.tmpdir(), 'jobs', 'w.js'))",
    "run(path.join(ROOT, 'jobs', 'v.js'))",
    "run('/jobs/' + name)",
    "require(require.resolve('./jobs/w.js'))",
    "log('see src/jobs/w.js')",
  ])
    expect(await look({ at: 'src/main.js', text: path + text, moves: move })).toEqual([]);
});

test('M38 a listing is a question where it names the file before or after, or cannot be told', async () => {
  const asks = async (text: string, at = 'src/main.js', moves: Case['moves'] = move) =>
    (await look({ at, text: path + text, moves, files: ['src/jobs/b.js', 'work/c.js', 'data/d.js'] })).map((one) =>
      one.replace(/ .*/s, ''),
    );
  const asked = ['file_listing'];
  expect(await asks("fs.readdirSync('src/jobs')")).toEqual(asked);
  expect(await asks("fs.readdirSync(path.join(__dirname, '../work'))")).toEqual(asked);
  expect(await asks('fs.readdirSync(dir)')).toEqual(asked);
  const walk = 'function walk(dir) { for (const f of fs.readdirSync(dir)) walk(path.join(dir, f)); }\n';
  expect(await asks(`${walk}walk('data')`)).toEqual([]);
  expect(await asks(`${walk}walk('src')`)).toEqual(asked);
  expect(await asks(`${walk}walk('data'); use(walk)`)).toEqual(asked);
  expect(await asks(`${walk}walk('data'); use({ walk })`)).toEqual(asked);
  expect(await asks(`export ${walk}walk('data')`)).toEqual(asked);
  expect(await asks("['data'].map((dir) => fs.readdirSync(dir))")).toEqual([]);
  expect(await asks("['data', 'work'].map((dir) => fs.readdirSync(dir))")).toEqual(asked);
  expect(await asks('walk(tree); watch(source); context(config)')).toEqual([]);
  expect(await asks("fs.readdirSync('data')")).toEqual([]);
  expect(await asks("fs.readdirSync('.')")).toEqual([]);
  expect(await asks("fs.readdirSync('.', { recursive: true })")).toEqual(asked);
  expect(await asks("fs.readdirSync(fs.mkdtempSync('x'))")).toEqual([]);
  expect(await asks("globSync('src/jobs/*.js')")).toEqual(asked);
  expect(await asks("globSync('{src,work}/**/*.js')")).toEqual([]);
  expect(await asks("fg(['*.js'], { cwd: 'work' })")).toEqual(asked);
  expect(await asks("import.meta.glob('./jobs/*.js')")).toEqual(asked);
  expect(await asks("register(load, { dir: path.join(__dirname, 'jobs') })")).toEqual(asked);
});

test('M37 what the moving file finds from its place is written anew, or asked about', async () => {
  const from = 'src/a.js';
  const own = (text: string, to = 'lib/deep/a.js') =>
    look({ at: from, text: path + text, moves: { [from]: to }, files: ['src/data.txt', 'src/sub/x.txt', 'data.txt'] });
  expect(await own("read(path.join(__dirname, 'data.txt'))")).toEqual([
    `${path}read(path.join(__dirname, '../../src/data.txt'))`,
  ]);
  expect(await own("read(path.resolve(__dirname, '..', 'data.txt'))")).toEqual([
    `${path}read(path.resolve(__dirname, '../..', 'data.txt'))`,
  ]);
  expect(await own("const sub = path.join(__dirname, 'sub');\nread(path.join(sub, name));")).toEqual([
    `${path}const sub = path.join(__dirname, '../../src/sub');\nread(path.join(sub, name));`,
  ]);
  expect(await own('const here = path.dirname(__filename);\nread(here + name);')).toEqual(['own_path here + name']);
  expect(await own("read(path.join(__dirname, 'missing.txt'))")).toEqual([
    "own_path path.join(__dirname, 'missing.txt')",
  ]);
  expect(await own('export const url = import.meta.url;')).toEqual(['own_path import.meta.url']);
  expect(await own("read(new URL('./data.txt', import.meta.url))")).toEqual([]);
  expect(await own('if (import.meta.url === pathToFileURL(process.argv[1]).href) run()')).toEqual([]);
  expect(await own('const require = createRequire(import.meta.url);')).toEqual([]);
  expect(await own("read(path.join(__dirname, name, 'x'))", 'src/b.js')).toEqual([]);
  expect(await own('log(__filename)', 'src/b.js')).toEqual(['own_path __filename']);
});
