/**
 * Who imports whom, from syntax trees and the code plane's own resolution: edges between files of the repository, edges to packages
 * outside it, and imports that lead nowhere, with the reason. The graph itself is `import-graph.json`; reversed edges are a reader's
 * projection.
 */

import { defineProbe } from '../../gather/contract.ts';
import { byteIndexFreshness } from '../../gather/freshness/index-checks.ts';
import { importGraphInputs, importGraphSection } from './tree-sitter-import-graph-section.ts';

export default defineProbe({
  name: 'tree_sitter_import_graph',
  version: '0.1.3',
  layer: 'B',
  says: 'Import edges between files, to packages, and the imports that lead nowhere, from syntax trees.',
  heaviness: 'medium',
  sections: { import_graph: importGraphSection },
  appliesToLanguages: ['javascript', 'typescript', 'python', 'go', 'rust', 'java'],
  extracts: ['imports'],
  declaredInputs: importGraphInputs,
  timeoutSeconds: 120,
  budget: { rssMb: 500, rawArtifactMb: 256, truncateMb: 256 },
  artifacts: ['import-graph.json'],
  warningIds: [
    'tree_sitter.file_parse_failed',
    'tree_sitter.parse_failed_count_exceeded',
    'tree_sitter.no_files_to_parse',
    'tree_sitter.file_too_large',
    'tree_sitter.timeout',
  ],
  errorIds: ['tree_sitter.grammar_pin_mismatch'],
  confidenceRule:
    'low when no file was parsed; high when none failed and none has syntax errors; medium when at least as many were parsed as failed; else low',
  index: {
    name: 'import_graph',
    check: byteIndexFreshness('import_graph'),
    detail: (slice) => ({
      parsed_files: slice['parsed_files'] ?? 0,
      failed_files: slice['failed_files'] ?? 0,
      partial_files: slice['partial_files'] ?? 0,
      resolved_edges: slice['resolved_edges'] ?? 0,
    }),
  },
  async run(repo, ctx) {
    const { gatherImportGraph } = await import('./gather-tree-sitter-import-graph.ts');
    return gatherImportGraph(repo, ctx);
  },
  examples: [
    {
      shows: 'an alias, a re-export, a circle, a dynamic import, packages and an import that leads nowhere',
      files: {
        'package.json': '{"name":"shop","dependencies":{"react":"^19.0.0"},"imports":{"#db":"./src/db.ts"}}',
        'tsconfig.json': '{"compilerOptions":{"paths":{"~/*":["./src/*"]}}}',
        'src/index.ts':
          "import react from 'react';\nimport { cpus } from 'node:os';\nimport { a } from '~/a';\nexport * from './b.js';\nimport './style.css';\nexport const lazy = () => import('./lazy');\nexport const load = (name: string) => import(name);\n",
        'src/a.ts': "import { b } from './b';\nimport db = require('#db');\nexport const a = b;\n",
        'src/b.ts':
          "import { a } from './a';\nimport type { Lazy } from './lazy';\nimport './gone';\nexport const b = a;\n",
        'src/lazy.tsx': "import { b } from './b';\nexport type Lazy = typeof b;\n",
        'src/db.ts': 'export default 1;\n',
        'src/style.css': 'a {}\n',
      },
      gives: {
        import_graph: {
          import_graph_uri: '.codegenie/context/raw/import-graph.json',
          parsed_files: 5,
          failed_files: 0,
          partial_files: 0,
          files_with_imports: 4,
          total_edges: 11,
          resolved_edges: 9,
          external_packages: 1,
          unresolved: { value: 2, relation: 'eq' },
          cycles: 1,
          top_fan_in: [
            { path: 'src/b.ts', importers: 3 },
            { path: 'src/a.ts', importers: 2 },
            { path: 'src/lazy.tsx', importers: 2 },
            { path: 'src/db.ts', importers: 1 },
            { path: 'src/style.css', importers: 1 },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'packages of the workspace are followed through their exports',
      files: {
        'package.json': '{"workspaces":["packages/*"]}',
        'packages/core/package.json': '{"name":"@acme/core","exports":{".":"./src/index.ts","./deep":"./src/deep.ts"}}',
        'packages/core/src/index.ts': 'export const core = 1;\n',
        'packages/core/src/deep.ts': 'export const deep = 1;\n',
        'packages/app/package.json': '{"name":"app","dependencies":{"@acme/core":"*"}}',
        'packages/app/main.mjs': "import { core } from '@acme/core';\nconst deep = require('@acme/core/deep');\n",
      },
      gives: {
        import_graph: {
          total_edges: 2,
          resolved_edges: 2,
          external_packages: 0,
          unresolved: { value: 0, relation: 'eq' },
        },
      },
      confidence: 'high',
    },
    {
      shows: 'Python, Go, Rust and Java are resolved by their own rules',
      files: {
        'py/app/__init__.py': 'from .models import Order\nimport os\nimport requests\n',
        'py/app/models.py': 'class Order: ...\n',
        'go.mod': 'module example.com/shop\n\ngo 1.22\n\nrequire github.com/x/y v1.0.0\n',
        'main.go': 'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/cart"\n\t"github.com/x/y/z"\n)\n',
        'cart/cart.go': 'package cart\n',
        'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\n',
        'src/main.rs': 'mod cart;\nuse crate::cart::Cart;\nuse std::fmt;\nfn main() {}\n',
        'src/cart.rs': 'pub struct Cart;\n',
        'java/com/acme/Order.java':
          'package com.acme;\nimport com.acme.Line;\nimport java.util.List;\npublic class Order {}\n',
        'java/com/acme/Line.java': 'package com.acme;\npublic class Line {}\n',
      },
      gives: {
        import_graph: {
          parsed_files: 8,
          total_edges: 11,
          resolved_edges: 5,
          external_packages: 2,
          unresolved: { value: 0, relation: 'eq' },
          cycles: 0,
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a file with syntax errors is partial, one over the cap is not parsed; both are said',
      files: {
        'a.js': "import b from './b.js';\nfunction ( {\n",
        'b.js': 'export default 1;\n',
        'large.js': `// ${'x'.repeat(1024 * 1024)}\n`,
      },
      gives: {
        import_graph: {
          parsed_files: 2,
          failed_files: 1,
          partial_files: 1,
          resolved_edges: 1,
          unresolved: { value: 0, relation: 'gte' },
        },
      },
      warnings: ['tree_sitter.file_too_large'],
      confidence: 'medium',
    },
    { shows: 'no language of its own', files: { 'a.md': '# x\n' }, gives: {}, skipped: 'language_mismatch' },
  ],
});
