/**
 * Which way a program listens for SIGTERM, read off its source text: one line each, comments left out. A look, not a parse: it is
 * asked for the whole repository in a few seconds, and names a method rather than proving that it works.
 */

import type { SignalHandlerMethod } from './entrypoint-section.ts';

type Rule = {
  readonly files: RegExp;
  readonly hint: string;
  readonly line: RegExp;
  readonly method: SignalHandlerMethod;
};

const rules: readonly Rule[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    hint: 'SIGTERM',
    line: /\bprocess\s*\.\s*(?:on|once|addListener|prependListener)\s*\(\s*['"`]SIGTERM['"`]|\benableShutdownHooks\b|['"`]SIGTERM['"`].{0,200}\bprocess\.(?:on|once)\b|\[[^\]]{0,100}['"`]SIGTERM['"`][^\]]{0,100}\]/,
    method: "process.on('SIGTERM')",
  },
  { files: /\.go$/, hint: 'signal.Notify', line: /\bsignal\.Notify(?:Context)?\s*\(/, method: 'signal.Notify' },
  {
    files: /\.py$/,
    hint: 'SIGTERM',
    line: /\bsignal\s*\(\s*(?:signal\.)?SIGTERM\b|add_signal_handler\s*\(\s*(?:signal\.)?SIGTERM\b/,
    method: 'signal.signal(SIGTERM)',
  },
  {
    files: /\.(?:java|kt|scala)$/,
    hint: 'addShutdownHook',
    line: /\baddShutdownHook\s*[({]/,
    method: 'addShutdownHook',
  },
];

const programs: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:node|nodejs|npm|npx|pnpm|yarn|bun|deno|tsx|ts-node|pm2-runtime|next|nest)$|\.[cm]?[jt]s$/, /\.[cm]?[jt]sx?$/],
  [/^(?:python[\d.]*|gunicorn|uvicorn|hypercorn|celery|flask|django-admin|uv|poetry)$|\.py$/, /\.py$/],
  [/^java$|\.jar$/, /\.(?:java|kt|scala)$/],
  // Servers of others, with handlers of their own.
  [
    /^(?:nginx|httpd|apache2|apache2-foreground|caddy|haproxy|envoy|postgres|mysqld|redis-server|traefik|php-fpm|supervisord)$/,
    /^$/,
  ],
];

/** Which sources a started program can be made of, by its name; all of them for a program of unknown make. */
export function sourcesOfProgram(name: string): RegExp {
  return programs.find(([program]) => program.test(name))?.[1] ?? /./;
}

const lookChars = 300;

export function findSignalHandler(path: string, bytes: Uint8Array): SignalHandlerMethod | null {
  const rule = rules.find(({ files }) => files.test(path));
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (rule === undefined || !source.includes(rule.hint)) return null;
  const text = source.toString('utf8');
  for (let at = text.indexOf(rule.hint); at >= 0; at = text.indexOf(rule.hint, at + 1)) {
    // The line around it, and of a long one no more than this: lines may be as long as the file and full of such words.
    const before = text.slice(Math.max(0, at - lookChars), at);
    const after = text.slice(at, at + lookChars);
    const end = after.indexOf('\n');
    const line = before.slice(before.lastIndexOf('\n') + 1) + (end < 0 ? after : after.slice(0, end));
    if (!/^\s*(?:\/\/|\*|\/\*|#)/.test(line) && rule.line.test(line)) return rule.method;
  }
  return null;
}

/** `trap 'kill …' TERM`, `trap cleanup SIGTERM EXIT`. */
export function trapsTerm(script: string): boolean {
  return /(?:^|[\n;&|{(])\s{0,200}trap\s[^\n]{1,500}\b(?:SIG)?TERM\b/.test(script.slice(0, 256 * 1024));
}
