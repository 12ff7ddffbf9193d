/**
 * What a repository is written in, where its packages are, and which frameworks its manifests name. It runs before every other
 * probe and decides which of them apply, so it opens manifests only: counting is by name and size.
 */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { knownLanguages } from '../../languages/file-language.ts';
import { familyIds } from '../shared/probe-reading.ts';

const perLanguage = z
  .record(z.string().regex(/^[a-z][a-z0-9_+#-]{0,31}$/), z.int().min(0))
  .describe(
    `keys: ${knownLanguages.join(', ')}, and languages named in languages.extra_extensions; languages with no file are left out`,
  );

const languageStackSection = z.strictObject({
  counts: perLanguage,
  bytes: perLanguage,
  primary: z.string().nullable(),
  secondary: z.array(z.string()),
  test_files: z.int().min(0),
  generated_or_vendored: z.int().min(0),
  framework_hints: z.array(z.string()),
  /** What each hint rests on: the manifest, and the dependency as it is written there. */
  framework_evidence: z.array(
    z.strictObject({ framework: z.string(), path: namedOnly(z.string()), dependency: namedOnly(z.string()) }),
  ),
  monorepo: z.strictObject({ tool: z.string(), markers: z.array(z.string()) }).nullable(),
  roots: z.array(z.strictObject({ path: namedOnly(z.string()), kind: z.string() })),
});

export default defineProbe({
  name: 'language_detection',
  version: '0.3.1',
  layer: 'A',
  says: 'languages by file and byte, frameworks, monorepo tool and package roots',
  heaviness: 'light',
  timeoutSeconds: 30,
  configKeys: ['languages.extra_extensions'],
  declaredInputs: [
    'names:**',
    '**/package.json',
    'pnpm-workspace.yaml',
    'lerna.json',
    'nx.json',
    'turbo.json',
    'go.mod',
    'Cargo.toml',
    'pyproject.toml',
    'requirements*.txt',
    'pom.xml',
    'build.gradle*',
  ],
  sections: { language_stack: languageStackSection },
  warningIds: ['language_detection.manifest_unreadable', 'language_detection.extra_language_refused'],
  errorIds: [...familyIds('package_json'), 'language_detection.walk_incomplete'],
  confidenceRule:
    'high; medium when a manifest is malformed or too large; low when part of the tree could not be listed or a manifest is a link',
  examples: [
    {
      shows: 'languages are counted by name, data languages never become primary, and tests are counted apart',
      files: {
        'src/app.ts': 'export const a = 1;\n',
        'src/app.test.ts': 'test();\n',
        'scripts/run.sh': 'echo\n',
        'a.yaml': 'a: 1\n',
        'b.yaml': 'b: 1\n',
        'c.yaml': 'c: 1\n',
        'package.json': '{"name":"shop","dependencies":{"express":"^4"},"devDependencies":{"react":"^18"}}',
        'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
        'public/app.min.js': 'x',
        'third_party/lib.c': 'int x;',
        Dockerfile: 'FROM scratch\n',
      },
      gives: {
        language_stack: {
          counts: { dockerfile: 1, json: 1, shell: 1, typescript: 2, yaml: 3 },
          bytes: { dockerfile: 13, json: 81, shell: 5, typescript: 28, yaml: 15 },
          primary: 'typescript',
          secondary: ['dockerfile', 'shell'],
          test_files: 1,
          generated_or_vendored: 3,
          framework_hints: ['express', 'react'],
          monorepo: null,
          roots: [{ path: '.', kind: 'node' }],
        },
      },
      confidence: 'high',
      warnings: [],
      errors: [],
    },
    {
      shows: 'a polyglot monorepo: the first marker names the tool, every ecosystem names its frameworks and roots',
      files: {
        'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
        'turbo.json': '{}',
        'package.json': '{"private":true,"workspaces":["packages/*"]}',
        'packages/api/package.json': '{"name":"api","dependencies":{"@nestjs/core":"^10"}}',
        'go.mod': 'module example.com/x\n\ngo 1.22\n\nrequire github.com/labstack/echo/v4 v4.11.0\n',
        'go.work': 'go 1.22\n\nuse .\n',
        'main.go': 'package main\n',
        'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n\n[workspace.dependencies]\naxum = "0.7"\n',
        'crates/core/Cargo.toml': '[package]\nname = "core"\nversion = "0.1.0"\n',
        'crates/core/src/lib.rs': 'pub fn f() {}\n',
        'pyproject.toml': '[project]\nname = "svc"\ndependencies = ["FastAPI>=0.100"]\n',
        'requirements-dev.txt': '# tools\nDjango==5.0\n',
        'build.gradle.kts': 'plugins { id("org.springframework.boot") version "3.2.0" }\n',
      },
      gives: {
        language_stack: {
          counts: { go: 1, json: 3, kotlin: 1, rust: 1, toml: 3, yaml: 1 },
          primary: 'kotlin',
          secondary: ['rust', 'go'],
          framework_hints: ['axum', 'django', 'echo', 'fastapi', 'nestjs', 'spring-boot'],
          monorepo: {
            tool: 'pnpm-workspaces',
            markers: [
              'pnpm-workspace.yaml',
              'turbo.json',
              'package.json#workspaces',
              'go.work',
              'Cargo.toml#workspace',
            ],
          },
          roots: [
            { path: '.', kind: 'go' },
            { path: '.', kind: 'java' },
            { path: '.', kind: 'node' },
            { path: '.', kind: 'python' },
            { path: '.', kind: 'rust' },
            { path: 'crates/core', kind: 'rust' },
            { path: 'packages/api', kind: 'node' },
          ],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a header belongs to the language of the files around it',
      files: {
        'include/shape.h': 'class Shape;\n',
        'src/shape.cpp': '//\n',
        'src/main.cpp': '//\n',
        'legacy/old.c': '//\n',
        'legacy/old.h': '//\n',
        'ios/View.mm': '//\n',
        'ios/View.h': '//\n',
      },
      gives: { language_stack: { counts: { c: 2, cpp: 3, objc: 2 }, primary: 'cpp', secondary: ['c', 'objc'] } },
      confidence: 'high',
    },
    {
      shows: 'a configured extension is a language like any other',
      files: {
        '.codegenie/config.yaml': 'languages.extra_extensions:\n  .bal: ballerina\n',
        'main.bal': 'function main() {}\n',
      },
      gives: { language_stack: { counts: { ballerina: 1 }, primary: 'ballerina' } },
    },
    {
      shows: 'a broken manifest costs confidence, not the counts',
      files: {
        'package.json': '{"dependencies": {',
        'src/a.js': '1;\n',
        'web/package.json': '{"dependencies":{"vue":"3"}}',
      },
      gives: {
        language_stack: { counts: { javascript: 1, json: 2 }, framework_hints: ['vue'], primary: 'javascript' },
      },
      errors: ['package_json.malformed'],
      confidence: 'medium',
    },
    {
      shows: 'a broken manifest of another ecosystem, and a configured name that is no name of a language',
      files: {
        '.codegenie/config.yaml': "languages.extra_extensions:\n  x: api_token\n  y: 'No Name'\n",
        'pyproject.toml': '[project\n',
        'main.py': 'pass\n',
        'a.x': '',
      },
      gives: { language_stack: { counts: { python: 1, toml: 1 }, primary: 'python' } },
      warnings: ['language_detection.extra_language_refused', 'language_detection.manifest_unreadable'],
      errors: [],
      confidence: 'medium',
    },
    {
      shows: 'a repository without code has no primary language',
      files: { 'README.md': '# hello\n', LICENSE: 'MIT\n' },
      gives: {
        language_stack: { counts: { markdown: 1 }, primary: null, secondary: [], roots: [], framework_hints: [] },
      },
      confidence: 'high',
    },
  ],
  async run(repo, ctx) {
    const { gatherLanguageDetection } = await import('./gather-language-detection.ts');
    return gatherLanguageDetection(repo, ctx);
  },
});
