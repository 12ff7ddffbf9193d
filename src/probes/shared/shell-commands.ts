/**
 * Shell text read just far enough to tell which program a line starts. Nothing is executed or expanded, every step is linear,
 * and what is not understood is simply not recognised.
 */

const maxLines = 2_000;
const maxLine = 4_000;

/** Lines of a script with continuations joined; comments and empty lines left out. */
export function listCommandLines(script: string): string[] {
  return script
    .slice(0, maxLines * 200)
    .replace(/\\\r?\n[ \t]*/g, ' ')
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

const keywords = new Set([
  'then',
  'do',
  'else',
  '!',
  '{',
  'if',
  'while',
  'time',
  'exec',
  'sudo',
  'env',
  'command',
  'xvfb-run',
]);
const runners = new Set(['npx', 'bunx', 'pnpx', 'cross-env', 'c8', 'nyc', 'dotenv']);
const twoWordRunners = new Set(
  'pnpm exec,pnpm dlx,yarn exec,yarn dlx,npm exec,uv run,poetry run,pipenv run,hatch run,python -m,python3 -m,coverage run'.split(
    ',',
  ),
);

function stripPrefix(words: readonly string[]): string[] {
  let start = 0;
  let afterRunner = false;
  while (start < words.length) {
    const word = words[start] as string;
    if (keywords.has(word) || /^[A-Za-z_]\w*=/.test(word)) start += 1;
    else if (runners.has(word)) {
      start += 1;
      afterRunner = true;
    } else if (twoWordRunners.has(`${word} ${words[start + 1] ?? ''}`)) {
      start += 2;
      afterRunner = true;
    } else if (afterRunner && word.startsWith('-')) start += 1;
    else break;
  }
  const [program, ...rest] = words.slice(start);
  // `./node_modules/.bin/jest` and `./gradlew` are what their last part says.
  return program === undefined ? [] : [program.slice(program.lastIndexOf('/') + 1) || program, ...rest];
}

function unquote(word: string): string {
  return word.replace(/^["']|["']$/g, '');
}
