/** Module names that are not paths: which package they mean, which of them can never be one of the repository. */

export type PackageRequest = {
  readonly name: string;
  /** Behind the name, without the slash; `''` for the package itself. */
  readonly rest: string;
};

/** `undefined`: no package can have this name. */
export function parsePackageRequest(specifier: string): PackageRequest | undefined {
  let slash = specifier.indexOf('/');
  if (specifier.startsWith('@')) {
    if (slash <= 1) return undefined;
    slash = specifier.indexOf('/', slash + 1);
  }
  const name = slash === -1 ? specifier : specifier.slice(0, slash);
  if (!packageName.test(name)) return undefined;
  return { name, rest: slash === -1 ? '' : specifier.slice(slash + 1) };
}

/** What registries allow and have ever allowed; aliases such as `@/x`, `~/x` or `$lib/x` are something else. */
const packageName = /^(?:@[\w.!'()*~-][\w.!'()*~-]*\/)?[A-Za-z0-9_!'()*-][\w.!'()*~-]*$/;

/** `@types` has one flat level: `@scope/name` is `@types/scope__name`. */
export function typesPackageOf(name: string): string {
  return `@types/${name.startsWith('@') ? name.slice(1).replace('/', '__') : name}`;
}

/** `https://…`, `data:…`, `node:fs`, `bun:test`, `virtual:pages`: the part that says what it is, `undefined` for other names. */
export function parseUrlName(specifier: string): string | undefined {
  const scheme = /^[A-Za-z][\w+.-]*:/.exec(specifier)?.[0];
  if (scheme === undefined) return undefined;
  return scheme === 'data:' ? scheme : specifier;
}

/** Modules of the platform: no package of the repository is meant by them. */
export const platformModules: ReadonlySet<string> = new Set(
  (
    'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http ' +
    'http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys ' +
    'timers tls trace_events tty url util v8 vm wasi worker_threads zlib'
  ).split(' '),
);
