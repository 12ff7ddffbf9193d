import { expect, test } from 'vitest';
import { planProjects } from './index-projects.ts';

const world = { repoRoot: '/repo', jobDir: '/job', maxFileMb: 1, environment: {}, scope: null, roots: null };
const project = { configPath: 'a/tsconfig.json', usesConfigDir: false, hasTypeRoots: false, files: ['a/x.ts'] };

test('each project has a configuration of its own in the job dir, which looks for types from where the real one lies', () => {
  const { args, files, cwd } = planProjects([project, { ...project, configPath: null, files: ['b.ts'] }], world);
  expect(args.slice(0, 3)).toEqual(['index', '--cwd', '/repo']);
  expect(args.slice(args.indexOf('--'))).toEqual([
    '--',
    '/job/projects/0/tsconfig.json',
    '/job/projects/1/tsconfig.json',
  ]);
  expect(cwd).toBe('/repo');
  expect(JSON.parse(files['projects/0/tsconfig.json'] as string)).toMatchObject({
    extends: '/repo/a/tsconfig.json',
    files: ['/repo/a/x.ts'],
    references: [],
    compilerOptions: { typeRoots: ['/repo/a/node_modules/@types', '/repo/node_modules/@types'] },
  });
  expect(JSON.parse(files['projects/1/tsconfig.json'] as string)).toMatchObject({
    files: ['/repo/b.ts'],
    compilerOptions: { allowJs: false },
  });
});

test('a project that speaks of its own directory is given as it is', () => {
  const { args, files } = planProjects([{ ...project, usesConfigDir: true }], world);
  expect(args.at(-1)).toBe('/repo/a/tsconfig.json');
  expect(files).toEqual({});
});
