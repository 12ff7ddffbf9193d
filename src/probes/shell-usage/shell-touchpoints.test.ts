import { expect, test } from 'vitest';
import { isSimpleCommand, packageStartTouchpoints, scriptTouchpoints, shellFeaturesOf } from './shell-touchpoints.ts';

test.each([
  ['node a.js', '---'],
  ['node $A', 'v--'],
  ["echo '$A && *'", '---'],
  ['echo "$A && *"', 'v--'],
  ['ls *.js', '-g-'],
  ['a && b', '--c'],
  ['a 2>&1', '---'],
  ['a & b', '--c'],
  ['a; b | c', '--c'],
  ['echo \\$A', '---'],
  ['exec "$@"', 'v--'],
])('%s uses %s', (text, expected) => {
  const { variables, globs, chains } = shellFeaturesOf(text);
  expect(`${variables ? 'v' : '-'}${globs ? 'g' : '-'}${chains ? 'c' : '-'}`).toBe(expected);
});

test('only plain words fit the exec form', () => {
  expect(['node a.js', "node -e 'a > b'"].map(isSimpleCommand)).toEqual([true, true]);
  expect(['node a.js > log', '(a)', 'A=$B node'].map(isSimpleCommand)).toEqual([false, false, false]);
});

test('a script is a touchpoint, and so is everything in it that starts a program', () => {
  const text = [
    '#!/bin/sh',
    'set -eu',
    'name=value',
    'log() {',
    '  echo "$1"',
    '}',
    'cat <<EOF > /etc/app.conf',
    'rm -rf /',
    'EOF',
    'for f in a b; do',
    '  cp "$f" \\',
    '    /tmp/',
    'done',
    "trap 'log bye' TERM",
    'while ! nc -z db 5432; do sleep 1; done',
    'exec node server.js',
  ].join('\n');
  expect(
    scriptTouchpoints({ path: '/start', source: 'docker/start', text }).map(
      ({ where, classification }) => `${where} ${classification}`,
    ),
  ).toEqual([
    'docker/start script_entrypoint',
    'docker/start:7 unknown',
    'docker/start:11 env_var_interpolation',
    'docker/start:14 signal_trap',
    'docker/start:15 startup_orchestration',
    'docker/start:16 exec_wrapper',
  ]);
});

test('a package start is followed through its scripts and hooks, each once', () => {
  const scripts = new Map([
    ['start', 'npm run serve'],
    ['serve', 'NODE_ENV=$ENV node a.js'],
    ['preserve', 'npm start'],
  ]);
  const rows = packageStartTouchpoints('Dockerfile CMD', 'npm start', { path: 'package.json', scripts });
  expect(
    rows.map(({ where, classification, replacement_known }) => `${where} ${classification} ${replacement_known}`),
  ).toEqual([
    'Dockerfile CMD package_manager_at_runtime yes',
    'package.json scripts.start package_manager_at_runtime depends',
    'package.json scripts.preserve package_manager_at_runtime yes',
    'package.json scripts.serve env_var_interpolation depends',
  ]);
});

test('a package script that is not there is said to depend', () => {
  const [row] = packageStartTouchpoints('Dockerfile CMD', 'npm start', null);
  expect(row).toMatchObject({ replacement_known: 'depends', text: 'npm start' });
});

test.each(['grep -q a <<<EOF', 'size=$((1 << BITS))'])('%s is no here-document: what follows is not hidden', (line) => {
  const rows = scriptTouchpoints({ path: '/start', source: 'start', text: `${line}\ncp a b\n` });
  expect(rows.map(({ where, text }) => `${where} ${text}`)).toContain('start:2 cp a b');
});

test('lines that are not read are told', () => {
  const text = `${':\n'.repeat(5_000)}cp a b\n`;
  expect(scriptTouchpoints({ path: '/start', source: 'start', text }).at(-1)).toMatchObject({
    text: '(lines beyond the first 5000)',
    classification: 'unknown',
  });
});

test('a secret that a cut would halve is gone before the cut', () => {
  const token = ['ghp_', '1Q3W5E7R9T0yuiopASDF1Z3X5C7V9B0nmqwe'].join('');
  const text = `cp ${'x '.repeat(989)}${token}\n`;
  const rows = scriptTouchpoints({ path: '/start', source: 'start', text });
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(token.slice(0, 8));
});
