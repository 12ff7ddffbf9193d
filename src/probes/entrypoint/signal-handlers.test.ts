import { expect, test } from 'vitest';
import { findSignalHandler, sourcesOfProgram, trapsTerm } from './signal-handlers.ts';

const find = (path: string, text: string) => findSignalHandler(path, new TextEncoder().encode(text));

test.each([
  ['a.ts', "process.once('SIGTERM', close);", "process.on('SIGTERM')"],
  ['a.mjs', "for (const s of ['SIGINT', 'SIGTERM']) process.on(s, close);", "process.on('SIGTERM')"],
  ['a.js', "// process.on('SIGTERM', close)\n * process.on('SIGTERM')\n", null],
  ['a.js', "child.kill('SIGTERM');", null],
  ['main.go', 'signal.Notify(c, os.Interrupt, syscall.SIGTERM)', 'signal.Notify'],
  ['main.go', 'ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)', 'signal.Notify'],
  ['a.py', 'signal.signal(signal.SIGTERM, stop)', 'signal.signal(SIGTERM)'],
  ['A.java', 'Runtime.getRuntime().addShutdownHook(new Thread(this::stop));', 'addShutdownHook'],
  ['a.txt', "process.on('SIGTERM')", null],
])('%s: %s', (path, text, method) => {
  expect(find(path, text)).toBe(method);
});

test('a trap counts when it is for the signal', () => {
  expect(["trap 'exit' TERM INT", 'set -e; trap cleanup SIGTERM'].map(trapsTerm)).toEqual([true, true]);
  expect(['trap cleanup EXIT', '# trap x TERM', 'echo mousetrap TERM'].map(trapsTerm)).toEqual([false, false, false]);
});

test('only sources that the program can be made of are looked at', () => {
  expect(sourcesOfProgram('node').test('a.ts')).toBe(true);
  expect(sourcesOfProgram('node').test('main.go')).toBe(false);
  expect(sourcesOfProgram('nginx').test('a.js')).toBe(false);
  expect(sourcesOfProgram('server').test('main.go')).toBe(true);
});

test('G40 a line as long as its file and full of the signal is looked at in one pass', () => {
  expect(find('a.js', 'SIGTERM,'.repeat(200_000))).toBeNull();
});
