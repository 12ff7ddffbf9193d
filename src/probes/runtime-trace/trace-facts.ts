/**
 * Calls of a workload → facts: sorted sets, of several scenarios the union. Pure, total, and insensitive to the order of the lines: what
 * is unknown or broken is no fact.
 *
 * Every place of a line is found from its beginning, by what strace prints there: names are quoted and escaped, and `-y` paths hold
 * no bare `<` or `>`, so no name that a program chooses can stand for another part of the line. Paths are collected as printed
 * and decoded once each at the end: a log is long, its set of paths is not.
 */

import { posix } from 'node:path';
import { closingQuote, decodeCString, isExec, splitTraceLine, succeeded } from './strace-log.ts';

export type TraceFacts = {
  readonly binaries_executed: readonly string[];
  readonly shared_libs_loaded: readonly string[];
  readonly cert_paths_read: readonly string[];
  readonly files_read: readonly string[];
  /** A count: the same shell started twice counts twice. */
  readonly shell_invocations: number;
  readonly outbound: readonly string[];
  readonly inbound: readonly string[];
};

type FactCollector = {
  add(pid: number, call: string): void;
  finish(): TraceFacts;
  /** Calls so far. */
  readonly calls: number;
  /** Execs that succeeded so far: a program that still starts others is not ready. */
  readonly execs: number;
  /** Has it bound an inet port? */
  readonly isListening: boolean;
  /** Was a write refused because the root is read-only? */
  readonly metReadOnly: boolean;
};

export type FileClass = 'cert' | 'node_modules' | 'config' | 'app' | 'other';

export const noFacts: TraceFacts = {
  binaries_executed: [],
  shared_libs_loaded: [],
  cert_paths_read: [],
  files_read: [],
  shell_invocations: 0,
  outbound: [],
  inbound: [],
};

/** Whole lines, `<pid> <call>`, as `selectWorkload` gives them. */
export function parseStraceLines(lines: readonly string[]): TraceFacts {
  const collector = createFactCollector();
  for (const text of lines) {
    const line = splitTraceLine(text);
    if (line !== undefined) collector.add(line.pid, line.body);
  }
  return collector.finish();
}

/** Programs by the path they were started with; one that is relative waits for its directory. */
type RelativeExec = { readonly pid: number; readonly path: string };

export function createFactCollector(): FactCollector {
  const executed = new Set<string>();
  const relative: RelativeExec[] = [];
  const places = new Map<number, Places>();
  const opened = new Set<string>();
  const mapped = new Set<string>();
  const outbound = new Set<string>();
  const inbound = new Set<string>();
  let shells = 0;
  let calls = 0;
  let execs = 0;
  let metReadOnly = false;

  const addOpen = (pid: number, call: string): void => {
    const at = openName(call);
    const close = at < 0 ? -1 : closingQuote(call, at);
    const after = close < 0 ? -1 : call.indexOf(')', close);
    const result = after < 0 ? -1 : resultAt(call, after);
    if (result < 0) return;
    noteDirectory(places, pid, call);
    if (call.charCodeAt(result) === 0x2d /* - */) {
      metReadOnly ||= call.startsWith('-1 EROFS', result);
      return;
    }
    if (/O_WRONLY|O_DIRECTORY|O_PATH/.test(call.slice(close + 1, after))) return;
    // Without `-y` there is the name alone, which says where the file is only if it is absolute.
    note(opened, annotationAt(call, skipDigits(call, result)) ?? call.slice(at + 1, close));
  };
  const addExec = (pid: number, call: string): void => {
    if (!succeeded(call)) return;
    const exec = parseExec(call);
    if (exec === undefined) return;
    execs += 1;
    if (isShell(exec.path, exec.argv)) shells += 1;
    // `/proc/self/exe` is a program that this process or one before it was started from already.
    if (isKernelPath(exec.path)) return;
    if (exec.path.startsWith('/')) note(executed, posix.normalize(exec.path));
    else if (exec.path !== '') relative.push({ pid, path: ownCopy(exec.path) });
  };
  const addEndpoint = (call: string, to: Set<string>): void => {
    const endpoint = parseEndpoint(call);
    if (endpoint !== undefined) note(to, endpoint);
  };
  const addMapping = (call: string): void => {
    const path = parseExecutableMapping(call);
    if (path !== undefined) note(mapped, path);
  };

  return {
    add(pid, call) {
      calls += 1;
      // The commonest first: a trace is made of mappings and opens.
      if (call.startsWith('mmap(')) addMapping(call);
      else if (call.startsWith('open')) addOpen(pid, call);
      else if (isExec(call)) addExec(pid, call);
      // With no network every attempt fails, and the attempt is the fact.
      else if (call.startsWith('connect(')) addEndpoint(call, outbound);
      else if (call.startsWith('bind(')) {
        if (succeeded(call)) addEndpoint(call, inbound);
      }
    },
    finish() {
      const binaries = sortedSet([...executed, ...resolveExecs(relative, places)]);
      const isExecutable = new Set(binaries);
      const files = [...opened].map(decodePath).filter(isFileName);
      const maps = [...mapped].map(decodePath).filter((path) => isFileName(path) && !isExecutable.has(path));
      return {
        binaries_executed: binaries,
        shared_libs_loaded: sortedSet([...maps, ...files.filter(isSharedLibrary)]),
        cert_paths_read: sortedSet(files.filter(isCertificate)),
        files_read: sortedSet(files),
        shell_invocations: shells,
        outbound: sortedSet(outbound),
        inbound: sortedSet(inbound),
      };
    },
    get calls() {
      return calls;
    },
    get execs() {
      return execs;
    },
    get isListening() {
      return inbound.size > 0;
    },
    get metReadOnly() {
      return metReadOnly;
    },
  };
}

export function uniteFacts(facts: readonly TraceFacts[]): TraceFacts {
  const unite = (of: (one: TraceFacts) => readonly string[]): readonly string[] => sortedSet(facts.flatMap(of));
  return {
    binaries_executed: unite((one) => one.binaries_executed),
    shared_libs_loaded: unite((one) => one.shared_libs_loaded),
    cert_paths_read: unite((one) => one.cert_paths_read),
    files_read: unite((one) => one.files_read),
    shell_invocations: facts.reduce((sum, one) => sum + one.shell_invocations, 0),
    outbound: unite((one) => one.outbound),
    inbound: unite((one) => one.inbound),
  };
}

export function sortedSet(values: Iterable<string>): readonly string[] {
  // By code units, as `compareCodeUnits` has it; without a function to call it is several times faster on a long list.
  return [...new Set(values)].sort();
}

/** One class per file. The application's own are those below the working directory, and what lies outside the system's directories. */
export function classifyFile(path: string, workdir: string | null): FileClass {
  if (isCertificate(path)) return 'cert';
  if (path.includes('/node_modules/')) return 'node_modules';
  if (configFile.test(baseName(path))) return 'config';
  const isBelowWorkdir = workdir !== null && workdir !== '/' && path.startsWith(`${workdir.replace(/\/+$/, '')}/`);
  return isBelowWorkdir || !systemDirectory.test(path) ? 'app' : 'other';
}

const shells = new Set(['sh', 'bash', 'dash', 'ash', 'zsh']);
const configFile = /\.(?:json|json5|ya?ml|toml|ini|conf|cnf|cfg|properties|env|xml)$|^\.env(?:\..+)?$/;
const systemDirectory = /^\/(?:bin|sbin|lib|lib32|lib64|libx32|usr|etc|var|tmp|run|boot|nix)(?:\/|$)/;

function isKernelPath(path: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(path);
}

function isSharedLibrary(path: string): boolean {
  return /\.(?:so(?:\.\d+)*|node)$/.test(path);
}

function isCertificate(path: string): boolean {
  return /\.(?:crt|pem|cer)$/.test(path) || /ca-certificates|\/etc\/(?:ssl|pki)(?:\/|$)/.test(path);
}

/** Busybox is every shell there is, by the name it was started with. */
function isShell(path: string, argv: readonly string[]): boolean {
  const program = baseName(path);
  if (program !== 'busybox' && path !== '/proc/self/exe') return shells.has(program);
  const calledAs = baseName(argv[0] ?? '');
  return shells.has(calledAs === 'busybox' ? baseName(argv[1] ?? '') : calledAs);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A part of a line keeps the whole of what was read with it in memory; what stays must be a string of its own. */
function note(set: Set<string>, text: string): void {
  if (!set.has(text)) set.add(ownCopy(text));
}

function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The directories that a process was seen in, and how its calls began when it was last seen in one: most begin like that again. */
type Places = { readonly directories: Set<string>; lastCall: string };

/** The working directory in `openat(AT_FDCWD</app>, …`. */
function noteDirectory(places: Map<number, Places>, pid: number, call: string): void {
  const known = places.get(pid);
  if (known !== undefined && call.startsWith(known.lastCall)) return;
  if (!call.startsWith('openat(AT_FDCWD<') && !call.startsWith('openat2(AT_FDCWD<')) return;
  const open = call.indexOf('<');
  const directory = annotationAt(call, open);
  if (directory === undefined) return;
  const seen = known ?? { directories: new Set<string>(), lastCall: '' };
  note(seen.directories, directory);
  seen.lastCall = ownCopy(call.slice(0, open + directory.length + 2));
  places.set(pid, seen);
}

/** Only where there is one answer: the process was seen in one directory, or, where it was seen in none, all others in the same. Else as written. */
function resolveExecs(execs: readonly RelativeExec[], places: ReadonlyMap<number, Places>): readonly string[] {
  if (execs.length === 0) return [];
  const everywhere = new Set([...places.values()].flatMap(({ directories }) => [...directories]));
  return execs.map(({ pid, path }) => {
    const candidates = places.get(pid)?.directories ?? everywhere;
    const [directory] = candidates;
    return candidates.size === 1 && directory !== undefined ? posix.join(decodePath(directory), path) : path;
  });
}

/** Where the name begins in `open("x", …`, `openat(AT_FDCWD</app>, "x", …`, `openat2(AT_FDCWD</app>, "x", {flags=…`; -1 where none does. */
function openName(call: string): number {
  if (call.startsWith('open("')) return 'open('.length;
  const at = call.startsWith('openat') ? call.indexOf(', "') : -1;
  return at < 0 ? -1 : at + 2;
}

/** Where the answer stands behind `) = `; -1 where there is none. */
function resultAt(call: string, parenthesis: number): number {
  let at = parenthesis + 1;
  while (call.charCodeAt(at) === 0x20) at += 1;
  if (!call.startsWith('= ', at)) return -1;
  const first = call.charCodeAt(at + 2);
  return first === 0x2d /* - */ || (first >= 0x30 && first <= 0x39) ? at + 2 : -1;
}

function skipDigits(call: string, from: number): number {
  let at = from;
  while (call.charCodeAt(at) >= 0x30 && call.charCodeAt(at) <= 0x39) at += 1;
  return at;
}

/** The path in `<…>` that opens at `at`, as printed. */
function annotationAt(call: string, at: number): string | undefined {
  if (call.charCodeAt(at) !== 0x3c /* < */) return undefined;
  const end = call.indexOf('>', at);
  return end < 0 ? undefined : call.slice(at + 1, end);
}

/** `mmap(…, PROT_READ|PROT_EXEC, MAP_PRIVATE, 3</lib/x.so>, 0) = 0x7f…`: the file, where one was mapped to be executed. */
function parseExecutableMapping(call: string): string | undefined {
  const at = call.indexOf('PROT_EXEC');
  const open = at < 0 ? -1 : call.indexOf('<', at);
  const path = open < 0 ? undefined : annotationAt(call, open);
  if (path === undefined) return undefined;
  const end = call.indexOf(')', open + path.length + 2);
  const result = end < 0 ? -1 : resultAt(call, end);
  return result >= 0 && call.startsWith('0x', result) ? path : undefined;
}

/** `execve("/bin/sh", ["sh", "-c", …], …`; of `execveat` with an empty name the file behind the descriptor. */
function parseExec(call: string): { readonly path: string; readonly argv: readonly string[] } | undefined {
  const open = call.startsWith('execve("') ? 7 : call.indexOf(', "') + 2;
  const close = open < 7 ? -1 : closingQuote(call, open);
  if (close < 0) return undefined;
  const name = decodeCString(call.slice(open + 1, close));
  const argv = call.startsWith(', [', close + 1) ? parseStrings(call, close + 4) : [];
  const directory = call.startsWith('execveat(') ? annotationAt(call, call.indexOf('<')) : undefined;
  if (directory === undefined || name.startsWith('/')) return { path: name, argv };
  const base = decodePath(directory);
  return { path: name === '' ? base : posix.join(base, name), argv };
}

/** The strings of a list from `at`, behind its bracket. Three tell which shell it is. */
function parseStrings(call: string, at: number): string[] {
  const strings: string[] = [];
  let open = at;
  while (call[open] === '"' && strings.length < 3) {
    const close = closingQuote(call, open);
    if (close < 0) break;
    strings.push(decodeCString(call.slice(open + 1, close)));
    open = call.startsWith(', ', close + 1) ? close + 3 : call.length;
  }
  return strings;
}

/** `bind(20<socket:[7]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("0.0.0.0")}, 16)` → `0.0.0.0:80`. */
function parseEndpoint(call: string): string | undefined {
  const address = call.indexOf(', {sa_family=AF_INET');
  // The descriptor comes first, and its path holds no bare `>`: nothing else may stand between.
  const descriptor = skipDigits(call, call.indexOf('(') + 1);
  const annotation = annotationAt(call, descriptor);
  if (address < 0 || address !== descriptor + (annotation === undefined ? 0 : annotation.length + 2)) return undefined;
  const port = numberAfter(call, 'port=htons(', address);
  if (port === undefined || port === 0) return undefined;
  const isV6 = call.startsWith('AF_INET6', address + ', {sa_family='.length);
  const before = isV6 ? 'inet_pton(AF_INET6, "' : 'inet_addr("';
  const from = call.indexOf(before, address);
  const close = from < 0 ? -1 : call.indexOf('"', from + before.length);
  if (close < 0) return undefined;
  const host = call.slice(from + before.length, close);
  if (!/^[0-9A-Fa-f:.]+$/.test(host)) return undefined;
  return isV6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function numberAfter(call: string, before: string, from: number): number | undefined {
  const at = call.indexOf(before, from);
  if (at < 0) return undefined;
  const start = at + before.length;
  const end = skipDigits(call, start);
  return end === start ? undefined : Number(call.slice(start, end));
}

function decodePath(printed: string): string {
  const path = decodeCString(printed);
  return path.endsWith(' (deleted)') ? path.slice(0, -' (deleted)'.length) : path;
}

/** No pipe, socket or anonymous memory, nothing of the kernel's, and no directory. */
function isFileName(path: string): boolean {
  return path.startsWith('/') && !path.endsWith('/') && !path.startsWith('/memfd:') && !isKernelPath(path);
}
