/** What readers of routes share: a route, argument lists in text, paths that are joined. */

export type HttpRoute = {
  /** Joined by a comma; `ANY` where every method is served. */
  readonly method: string;
  /** What is written at the registration, with the prefix of its class or router where the file has one. */
  readonly path: string;
  readonly line: number;
  /** Nothing can stand before the path. */
  readonly whole: boolean;
};

export type Found = Omit<HttpRoute, 'line'> & { readonly at: number };

export const verbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

/** `(…)` with what is nested in it; empty where none opens there. Bounded: an argument list has an end. */
export function argumentsAt(text: string, at: number): string {
  const start = at + (/^\s*/.exec(text.slice(at, at + 50))?.[0].length ?? 0);
  if (text.charAt(start) !== '(') return '';
  let depth = 0;
  let quote = '';
  for (let index = start; index < Math.min(text.length, start + 4_000); index += 1) {
    const char = text.charAt(index);
    if (quote !== '') {
      if (char === '\\') index += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return text.slice(at, index + 1);
    }
  }
  return '';
}

export function firstArgument(args: string): string {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < args.length; index += 1) {
    const char = args.charAt(index);
    if (quote !== '') {
      if (char === '\\') index += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === '`') quote = char;
    else if (char === '(' || char === '[' || char === '{') depth += 1;
    else if (char === ')' || char === ']' || char === '}') depth -= 1;
    if (quote === '' && ((char === ',' && depth === 1) || depth === 0)) return args.slice(1, index);
  }
  return args;
}

export function joined(prefix: string, path: string): string {
  const parts = [prefix, path].map((one) => one.replace(/^\/+|\/+$/g, '')).filter((one) => one !== '');
  return `/${parts.join('/')}${path.length > 1 && path.endsWith('/') && parts.length > 0 ? '/' : ''}`;
}

/** Comments and Python's long strings as blanks, so that offsets and lines stay. Other strings stay as they are. */
export function withoutComments(text: string, style: '//' | '#'): string {
  const token =
    style === '#'
      ? /("""|''')[\s\S]*?(?:\1|$)|#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g
      : /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
  return text.replace(token, (found, long: string | undefined) =>
    found.startsWith(style) || found.startsWith('/*') || (typeof long === 'string' && long !== '')
      ? found.replace(/[^\n]/g, ' ')
      : found,
  );
}
