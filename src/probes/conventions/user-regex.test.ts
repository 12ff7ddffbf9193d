import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileUserRegex, createRegexRunner, type RegexRunner, type UserRegex } from './user-regex.ts';

let runner: RegexRunner;
beforeEach(() => {
  runner = createRegexRunner(new AbortController().signal);
});
afterEach(() => runner.close());

function compiled(pattern: string): UserRegex {
  const regex = compileUserRegex(pattern);
  if (regex === undefined) throw new Error(`not a regex: ${pattern}`);
  return regex;
}

test('the first match, per line', async () => {
  expect(await runner.search(compiled('^USER node$'), 'FROM x\nUSER node\n')).toEqual({ kind: 'found', at: 7 });
  expect(await runner.search(compiled('^USER root$'), 'FROM x\nUSER node\n')).toEqual({ kind: 'not_found' });
});

test('G16 a regex that backtracks is stopped, and the next one runs', async () => {
  expect(await runner.search(compiled('^(a+)+$'), `${'a'.repeat(40)}!`)).toEqual({ kind: 'timed_out' });
  expect(await runner.search(compiled('a!'), 'a!')).toEqual({ kind: 'found', at: 0 });
});

test('one thread answers many questions', async () => {
  const patient = createRegexRunner(new AbortController().signal, 3_600_000);
  for (let n = 0; n < 50; n += 1)
    expect(await patient.search(compiled(`${n}$`), `x${n}`)).toEqual({ kind: 'found', at: 1 });
  await patient.close();
});

test('G16 many hostile searches leave no thread behind and the runner usable', async () => {
  const quick = createRegexRunner(new AbortController().signal, 20);
  for (const pattern of ['(x+x+)+y', '(.*)*z$', '([a-z]+)*1']) {
    expect(await quick.search(compiled(pattern), 'x'.repeat(60))).toEqual({ kind: 'timed_out' });
  }
  await quick.close();
  await quick.close();
});

test('a cancelled probe asks nothing more', async () => {
  const controller = new AbortController();
  const cancelled = createRegexRunner(controller.signal);
  controller.abort(new Error('cancelled'));
  await expect(cancelled.search(compiled('a'), 'a')).rejects.toThrow('cancelled');
});

test('inline flags at the start become flags; what is no regex is told', () => {
  expect(compileUserRegex('(?i)from')).toEqual({ source: 'from', flags: 'mi' });
  expect(compileUserRegex('(?m)from')).toEqual({ source: 'from', flags: 'm' });
  expect(compileUserRegex('(')).toBeUndefined();
});
