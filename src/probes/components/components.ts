/**
 * What the tree consists of: packages, services, applications, libraries, tools, and apart from them examples, benchmarks, tests,
 * documentation and infrastructure. Other facts hang on these: what stands in an example is never a fact of the product.
 */

import { defineProbe } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { componentFacts, spineOf } from './components-facts.ts';
import { componentsSection } from './components-section.ts';

/** Of the upstream sections, what the run reads. */
const pick = (section: Json | undefined, ...keys: readonly string[]): Json =>
  isJsonObject(section) ? Object.fromEntries(keys.map((key) => [key, section[key] ?? null])) : null;

export default defineProbe({
  name: 'components',
  version: '0.1.0',
  layer: 'A',
  says: 'The parts of the repository, each with its directory, kind, language and manifests.',
  heaviness: 'light',
  sections: { components: componentsSection },
  facts: componentFacts,
  spine: spineOf,
  requires: [
    { probe: 'language_detection', select: (slice) => pick(slice['language_stack'], 'monorepo') },
    { probe: 'node_build_system', select: (slice) => pick(slice['build_system'], 'workspaces'), optional: true },
  ],
  configKeys: ['languages.extra_extensions'],
  declaredInputs: ['names:**'],
  timeoutSeconds: 30,
  confidenceRule: 'high; kinds follow from manifests and names of directories',
  async run(repo, ctx) {
    const { gatherComponents } = await import('./gather-components.ts');
    return gatherComponents(repo, ctx);
  },
  examples: [
    {
      shows: 'two packages, and an example that is none of the product',
      files: {
        'package.json': '{"name":"shop"}',
        'packages/api/package.json': '{"name":"@shop/api"}',
        'packages/api/src/server.ts': 'export const port = 80;\n',
        'examples/tiny/package.json': '{"name":"tiny"}',
        'examples/tiny/app.py': 'print(1)\n',
        'examples/tiny/more.py': 'print(2)\n',
      },
      gives: {
        components: {
          components: [
            { dir: '.', kind: 'package', language: null, manifests: ['package.json'] },
            { dir: 'examples/tiny', kind: 'example', language: 'python' },
            { dir: 'packages/api', kind: 'package', language: 'typescript' },
          ],
        },
      },
      facts: [
        {
          id: 'language.primary',
          scope: 'packages/api',
          value: 'TypeScript',
          evidence: ['packages/api/src/server.ts:1'],
        },
        { id: 'language.primary', scope: '.', value: 'TypeScript' },
      ],
      confidence: 'high',
    },
    {
      shows: 'a repository without a manifest is one part',
      files: { 'tool.go': 'package main\n' },
      gives: { components: { workspace: null, components: [{ dir: '.', language: 'go', manifests: [] }] } },
      facts: [{ id: 'language.primary', scope: '.', value: 'Go' }],
    },
  ],
});
