/**
 * What command lines do: shell text read just far enough to tell which program a line starts. Nothing is executed or expanded, every step is linear,
 * and what is not understood is simply not recognised.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';

const maxLines = 2_000;
const maxLine = 4_000;

/** Lines of a script with continuations joined; comments and empty lines left out. */
export function listCommandLines(script: string): string[] {
  return script
    .slice(0, maxLines * 200)
    .replace(/[ \t]{0,80}\\\r?\n[ \t]*/g, ' ')
    .split('\n', maxLines)
    .map((line) => line.trim().slice(0, maxLine))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The words of each simple command of a line, without keywords, assignments and runners (`CI=1 npx vitest run` → `vitest run`). */
export function listInvocations(line: string): string[][] {
  return line
    .split(/&&|\|\||[;|&\n()]/)
    .map((part) =>
      stripPrefix(
        part
          .split(/\s+/)
          .map(unquote)
          .filter((word) => word !== ''),
      ),
    )
    .filter((words) => words.length > 0);
}

const keywords = new Set(['then', 'do', 'else', '!', '{', 'if', 'while', 'time', 'exec', 'command']);
const runners = new Set(
  'npx,bunx,pnpx,cross-env,cross-env-shell,c8,nyc,dotenv,dotenvx,xvfb-run,dbus-run-session,nice,ionice,stdbuf,catchsegv,unbuffer,sudo,env'.split(
    ',',
  ),
);
const twoWordRunners = new Set(
  'pnpm exec,pnpm dlx,yarn exec,yarn dlx,npm exec,uv run,poetry run,pipenv run,hatch run,pdm run,rye run,pixi run,mise exec,mise x,coverage run,bundle exec,bun x'.split(
    ',',
  ),
);

/** Options of runners that take the next word with them. */
const runnerFlagsWithValue = new Set(
  '--group,--only-group,--no-group,--extra,--with,--python,-p,--project,--directory,--package,--env-file,--source,--rcfile,-c,--call,--exclude,--include,--reporter,--report-dir,--temp-dir,--extension,--lines,--branches,--functions,--statements,--omit,--data-file,--server-num'.split(
    ',',
  ),
);
/** One letter means another thing to each: here it takes a value. */
const lettersWithValue: Readonly<Record<string, ReadonlySet<string>>> = {
  nyc: new Set(['-x', '-n', '-r', '-e', '-t']),
  c8: new Set(['-x', '-n', '-r', '-o']),
  dotenv: new Set(['-e', '-v']),
  sudo: new Set(['-u', '-g']),
  env: new Set(['-u', '-C']),
  nice: new Set(['-n']),
  ionice: new Set(['-n']),
  'xvfb-run': new Set(['-n', '-f']),
};

function stripPrefix(words: readonly string[]): string[] {
  let start = 0;
  let afterRunner = false;
  let letters: ReadonlySet<string> | undefined;
  while (start < words.length) {
    const word = words[start] as string;
    const module = moduleAfter(words, start);
    if (keywords.has(word) || /^[A-Za-z_]\w*=/.test(word)) start += 1;
    else if (module !== undefined) {
      start = module;
      afterRunner = true;
    } else if (word === 'timeout') {
      start += 1;
      while (/^-/.test(words[start] ?? '')) start += /^-[ks]$/.test(words[start] ?? '') ? 2 : 1;
      start += 1;
    } else if (runners.has(word)) {
      start += 1;
      afterRunner = true;
      letters = lettersWithValue[word];
    } else if (twoWordRunners.has(`${word} ${words[start + 1] ?? ''}`)) {
      start += 2;
      afterRunner = true;
    } else if (afterRunner && word.startsWith('-'))
      start += runnerFlagsWithValue.has(word) || letters?.has(word) === true ? 2 : 1;
    else break;
  }
  const [program, ...rest] = words.slice(start);
  // `./node_modules/.bin/jest` and `./gradlew` are what their last part says.
  if (program === undefined) return [];
  if (ownScript.test(program)) return [program.replace(/^\.\//, ''), ...rest];
  const name = program.slice(program.lastIndexOf('/') + 1) || program;
  // `npx tool@latest`
  return [afterRunner ? name.replace(/(?<=.)@[\w.^~-]+$/, '') : name, ...rest];
}

/** `python -W error -m x`: where the name of the module stands. */
function moduleAfter(words: readonly string[], start: number): number | undefined {
  if (!/^(?:python(?:3(?:\.\d+)?)?|py|pypy3?)$/.test(words[start] ?? '')) return undefined;
  for (let at = start + 1; words[at]?.startsWith('-') === true; at += /^-[WX]$/.test(words[at] ?? '') ? 2 : 1)
    if (words[at] === '-m') return at + 1;
  return undefined;
}

/** A script of the repository without an ending keeps its folder: `scripts/test` is no `test`. */
const ownScript =
  /^(?:\.\/)?(?:(?:[\w.-]+\/)*(?:scripts?|ci|\.ci|hack)\/[\w-]+|bin\/(?:tests?|lint|check|ci|build|typecheck|format|fmt|e2e|setup|bootstrap))$/;

function unquote(word: string): string {
  return word.replace(/^["']|["']$/g, '');
}

const containerFlagsWithValue = new Set(
  '-e,--env,-v,--volume,-w,--workdir,-u,--user,-p,--publish,-l,--label,-h,--hostname,-m,--memory,--name,--network,--net,--entrypoint,--env-file,--mount,--platform,--index,--add-host,--cpus,--shm-size,--pull,--ulimit,--cap-add,--gpus'.split(
    ',',
  ),
);
const composeFlagsWithValue = new Set(['-f', '--file', '-p', '--project-name', '--profile', '--env-file', '--ansi']);

/** `docker compose run --rm web make ci` → `make ci`: what a container is told to run; null where that is what its image says. */
export function commandInContainer(words: readonly string[]): string | null {
  const [program = ''] = words;
  if (!/^(?:docker|podman|docker-compose|podman-compose)$/.test(program)) return null;
  let at = 1;
  const skipFlags = (withValue: ReadonlySet<string>) => {
    while (words[at]?.startsWith('-') === true) at += withValue.has(words[at] ?? '') ? 2 : 1;
  };
  if (!program.includes('-') && words[at] === 'compose') at += 1;
  if (program.includes('-') || at > 1) skipFlags(composeFlagsWithValue);
  if (words[at] !== 'run' && words[at] !== 'exec') return null;
  at += 1;
  skipFlags(containerFlagsWithValue);
  // The service, the container or the image.
  let inner = words.slice(at + 1);
  // `sh -c "x y"`: the quotes are gone from its ends.
  if (/^(?:\/bin\/)?(?:ba|da)?sh$/.test(inner[0] ?? '') && /^-\w*c$/.test(inner[1] ?? '')) inner = inner.slice(2);
  return inner.length === 0 ? null : inner.join(' ');
}

// `npm run x`, `pnpm -r x`, `yarn workspace a x` → what the script `x` of package.json says, through as many aliases as there are.

/** Script text by name; undefined if there is none. */
export type ScriptLookup = (name: string) => string | undefined;

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const flagsWithValue = new Set(['--filter', '-F', '--prefix', '-w', '--workspace', '-C', '--dir', '--cwd']);
/** npm runs these without `run`; any other bare word is one of npm's own commands. */
const npmShorthands = new Map([
  ['test', 'test'],
  ['t', 'test'],
  ['tst', 'test'],
  ['start', 'start'],
  ['stop', 'stop'],
  ['restart', 'restart'],
]);
const maxExpansions = 20;

/** The script an invocation runs, null when it runs none. */
export function scriptNameOf(words: readonly string[]): string | null {
  const [manager = '', ...rest] = words;
  if (manager === 'node' && rest[0] === '--run') return rest[1] ?? null;
  if (!managers.has(manager)) return null;
  const plain = withoutFlags(rest);
  const [first, second] = plain;
  if (first === undefined) return null;
  if (first === 'run' || first === 'run-script') return second ?? null;
  if (first === 'workspace' && manager === 'yarn') return plain[2] === 'run' ? (plain[3] ?? null) : (plain[2] ?? null);
  if (first === 'workspaces') return plain[plain.indexOf('run') + 1] ?? null;
  return manager === 'npm' ? (npmShorthands.get(first) ?? null) : first;
}

/** The line itself, then everything its scripts stand for. Cycles end because a script is opened once. */
export function expandScripts(line: string, lookup: ScriptLookup): string[] {
  const texts = [line];
  const opened = new Set<string>();
  for (const text of texts) {
    for (const words of listInvocations(text)) {
      const name = scriptNameOf(words);
      if (name === null || opened.has(name) || texts.length > maxExpansions) continue;
      opened.add(name);
      const script = lookup(name);
      if (script !== undefined) texts.push(script);
    }
  }
  return texts;
}

function withoutFlags(words: readonly string[]): string[] {
  const plain: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === '--') break;
    if (flagsWithValue.has(word)) index += 1;
    else if (!word.startsWith('-')) plain.push(word);
  }
  return plain;
}

// What a line of CI or a package script does: build an image, run unit tests, run a smoke test.

export type CommandPurpose = 'image_build' | 'unit_test' | 'smoke_test';

const imageBuild = /\bdocker {1,8}buildx?\b|\bpodman {1,8}build\b|\bbuildah\b/;
const smokeTest = /\brun smoke\b|\btest:smoke\b|\bsmoke:test\b|\bscripts\/smoke|\bsmoke\.(?:sh|py|[cm]?[jt]s)\b/;
const unitTools = new Set(['vitest', 'jest', 'mocha', 'pytest', 'py.test']);
/** `test:unit` and `test:ci` are unit tests, these are not. */
const otherTests =
  /^test:(?:.*[:-])?(?:e2e|smoke|integration|acceptance|ui|visual|perf|load|browser|playwright|cypress)\b/;

/** Does the line, or a script it stands for, serve the purpose? */
export function servesPurpose(line: string, purpose: CommandPurpose, lookup: ScriptLookup): boolean {
  const serves = { image_build: isImageBuild, unit_test: isUnitTest, smoke_test: isSmokeTest }[purpose];
  return expandScripts(line, lookup).some(serves);
}

export function isImageBuild(line: string): boolean {
  return imageBuild.test(line);
}

export function isSmokeTest(line: string): boolean {
  return smokeTest.test(line);
}

export function isUnitTest(line: string): boolean {
  return listInvocations(line).some((words) => {
    const [program = '', ...rest] = words;
    const script = scriptNameOf(words);
    if (script !== null) return unitTools.has(script) || (/^test(:|$)/.test(script) && !otherTests.test(script));
    if (unitTools.has(program)) return true;
    if (program === 'node') return rest.includes('--test');
    if (program === 'go') return rest[0] === 'test';
    if (program === 'cargo') return rest.some((word) => word === 'test' || word === 'nextest');
    if (program === 'mvn' || program === 'mvnw') return rest.includes('test') || rest.includes('verify');
    return (program === 'gradle' || program === 'gradlew') && rest.some((word) => /^(?::?[\w-]+:)*test$/.test(word));
  });
}

// The file a smoke test consists of: the one a command names, else one that is called so.

/** By-name inputs that `findSmokeFile` looks through. */
export const smokeFileGlobs: readonly string[] = [
  'scripts/smoke*',
  'scripts/**/smoke*',
  '**/smoke.{sh,py,js,mjs,cjs,ts,mts}',
];

/** `cd x && ./scripts/smoke.sh prod` → `scripts/smoke.sh`. Paths that leave the root or are computed are not paths of the repository. */
export function smokePathIn(command: string, directory: string): string | null {
  for (const word of command.split(/[\s;&|()"'=]+/, 2_000)) {
    const name = word.slice(word.lastIndexOf('/') + 1);
    if (!name.includes('smoke') || !/^[\w.-]{1,200}$/.test(name)) continue;
    if (!word.includes('/') && !/\.[a-z]{1,4}$/.test(name)) continue;
    const path = [...directory.split('/'), ...word.split('/')].filter((part) => part !== '' && part !== '.');
    if (!word.startsWith('/') && !path.includes('..') && !/[$*{}]/.test(word)) return path.join('/');
  }
  return null;
}

/** The nearest to the root of the files that are called a smoke script. */
export function findSmokeFile(paths: readonly string[]): string | null {
  const depth = (path: string) => path.split('/').length;
  return [...paths].sort((a, b) => depth(a) - depth(b) || compareCodeUnits(a, b))[0] ?? null;
}
