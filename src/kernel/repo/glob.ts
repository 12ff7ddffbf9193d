/**
 * Globs over root-relative POSIX paths: anchored, case-sensitive, leading dots match like any other character.
 * `**` any number of directories · `*` and `?` within one name · `{a,b}` alternatives · `[abc]`, `[!abc]` classes · `\x` literally x.
 * A malformed glob (an open bracket or brace) matches its own text. No pattern can backtrack badly: `*` never crosses a slash.
 */

export function isGlob(pattern: string): boolean {
  return /[*?[\]{}\\]/.test(pattern);
}

export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.flatMap(expandBraces).map((glob) => {
    const matcher = globToRegExp(glob);
    return (path: string) => matcher.test(path);
  });
  return (path) => tests.some((test) => test(path));
}

/** One brace-free glob as an anchored expression. */
export function globToRegExp(glob: string): RegExp {
  return new RegExp(`^${globSource(glob)}$`, 's');
}

/** The body of the expression, without anchors; the ignore-file matcher adds its own. */
export function globSource(glob: string): string {
  let source = '';
  let index = 0;
  while (index < glob.length) {
    const char = glob[index] as string;
    const atSegmentStart = index === 0 || glob[index - 1] === '/';
    if (char === '*' && glob[index + 1] === '*' && atSegmentStart && glob[index + 2] === '/') {
      source += '(?:[^/]+/)*';
      index += 3;
      // `**/**/` says nothing more than `**/`, and repeated it would backtrack.
      while (glob.startsWith('**/', index)) index += 3;
    } else if (char === '*' && glob[index + 1] === '*' && atSegmentStart && index + 2 === glob.length) {
      source += '.+';
      index += 2;
    } else if (char === '*') {
      source += '[^/]*';
      while (glob[index] === '*') index += 1;
    } else if (char === '?') {
      source += '[^/]';
      index += 1;
    } else if (char === '[') {
      const [text, next] = readClass(glob, index);
      source += text;
      index = next;
    } else if (char === '\\' && index + 1 < glob.length) {
      source += escapeRegExp(glob[index + 1] as string);
      index += 2;
    } else {
      source += escapeRegExp(char);
      index += 1;
    }
  }
  return source;
}

function readClass(glob: string, start: number): [source: string, next: number] {
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^';
  const bodyStart = start + (negated ? 2 : 1);
  const end = glob.indexOf(']', bodyStart + 1);
  if (end < 0) return ['\\[', start + 1];
  const body = glob.slice(bodyStart, end).replace(/[\\\]^[]/g, '\\$&');
  const source = `(?!/)[${negated ? '^' : ''}${body}]`;
  try {
    new RegExp(source);
  } catch {
    return ['\\[', start + 1]; // a range the wrong way round, such as [z-a]
  }
  return [source, end + 1];
}

/** `a.{ts,{m,c}ts}` → the plain globs it stands for. More than 256 alternatives: the pattern is taken literally. */
export function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const pending = [glob];
  while (pending.length > 0) {
    const next = pending.pop() as string;
    const group = findBraceGroup(next);
    if (group === undefined) done.push(next);
    else for (const choice of group.choices) pending.push(next.slice(0, group.start) + choice + next.slice(group.end));
    if (done.length + pending.length > 256) return [glob.replace(/[{}]/g, '\\$&')];
  }
  return done.reverse();
}

function findBraceGroup(glob: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = 0; start < glob.length; start += 1) {
    if (glob[start] === '\\') start += 1;
    else if (glob[start] === '{') {
      const group = readBraceGroup(glob, start);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function readBraceGroup(glob: string, start: number): { start: number; end: number; choices: string[] } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let choiceStart = start + 1;
  for (let index = start; index < glob.length; index += 1) {
    const char = glob[index];
    if (char === '\\') index += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      choices.push(glob.slice(choiceStart, index));
      choiceStart = index + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth === 0) {
        choices.push(glob.slice(choiceStart, index));
        return choices.length > 1 ? { start, end: index + 1, choices } : undefined;
      }
    }
  }
  return undefined;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
