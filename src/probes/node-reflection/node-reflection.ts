/**
 * What JavaScript and TypeScript leave to run time, counted in syntax trees: evaluated text, computed members and modules, changed
 * prototypes, decorators, middleware, environment variables. `confidence_impact` says what that does to static reasoning: high means
 * it is not to be trusted.
 */

import { defineProbe } from '../../gather/contract.ts';
import { reflectionSection } from './node-reflection-section.ts';

const clean = {
  eval_usage: 0,
  function_constructor_usage: 0,
  dynamic_require_count: 0,
  dynamic_import_count: 0,
  dynamic_property_access_count: 0,
  dynamic_call_count: 0,
  prototype_manipulation_count: 0,
  decorator_usage: { nestjs: false, typeorm: false, class_validator: false, custom_decorators_detected: 0 },
  middleware_chains: 0,
  env_var_reads: { count: 0, code_path_affecting: 0, names: [] },
  confidence_impact: 'low',
  affected_files: [],
  parse_errors: 0,
};

export default defineProbe({
  name: 'node_reflection',
  version: '0.1.2',
  layer: 'B',
  says: 'Evaluated text, computed members and modules, decorators, middleware and environment reads in JavaScript and TypeScript.',
  heaviness: 'medium',
  sections: { reflection: reflectionSection },
  appliesToLanguages: ['javascript', 'typescript'],
  extracts: ['reflection'],
  declaredInputs: ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', '**/package.json'],
  timeoutSeconds: 60,
  budget: { rssMb: 500 },
  warningIds: [
    'node_reflection.package_json_unparseable',
    'node_reflection.file_too_large',
    'node_reflection.parse_error',
  ],
  errorIds: ['node_reflection.grammar_unavailable'],
  confidenceRule: 'high; medium when a file has syntax errors or was not parsed; low when a grammar is not available',
  async run(repo, ctx) {
    const { gatherReflection } = await import('./gather-node-reflection.ts');
    return gatherReflection(repo, ctx);
  },
  examples: [
    {
      shows: 'eval, a computed call, decorators and the environment',
      files: {
        'package.json': '{"dependencies":{"@nestjs/common":"11.0.0","class-validator":"0.14.0"}}',
        'src/order.ts':
          "import { Controller, Get } from '@nestjs/common';\nimport { IsInt } from 'class-validator';\nimport { Audited } from './audited';\n@Controller('orders')\nexport class Orders {\n  @IsInt() count = 1;\n  @Get() @Audited() list(action: string) {\n    return this[action]();\n  }\n}\n",
        'src/run.js':
          "const app = require('express')();\nconst handler = require(process.env.HANDLER);\nif (process.env.NODE_ENV === 'test') eval(process.argv[2]);\nfor (let i = 0; i < list.length; i++) list[i].start();\n",
        'src/plain.ts': 'export const plain = [1, 2][0];\n',
      },
      gives: {
        reflection: {
          ...clean,
          eval_usage: 1,
          dynamic_require_count: 1,
          dynamic_property_access_count: 1,
          dynamic_call_count: 1,
          decorator_usage: { nestjs: true, typeorm: false, class_validator: true, custom_decorators_detected: 1 },
          env_var_reads: { count: 2, code_path_affecting: 1, names: ['HANDLER', 'NODE_ENV'] },
          confidence_impact: 'high',
          affected_files: ['src/order.ts', 'src/run.js'],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'computed members and middleware alone are medium',
      files: {
        'server.mjs':
          "import express from 'express';\nconst app = express();\napp.use(log);\napp.use(auth);\nexport const pick = (row, key) => row[key];\n",
      },
      gives: {
        reflection: {
          ...clean,
          dynamic_property_access_count: 1,
          middleware_chains: 1,
          confidence_impact: 'medium',
          affected_files: ['server.mjs'],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'nothing of the kind',
      files: { 'src/a.ts': "import { b } from './b';\nexport const a = b;\n", 'src/b.ts': 'export const b = 1;\n' },
      gives: { reflection: clean },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'what could not be read as code is said',
      files: {
        'package.json': '{"dependencies":',
        'a.js': 'const = eval(;\n',
        'large.js': `// ${'x'.repeat(1024 * 1024)}\n`,
      },
      gives: { reflection: { parse_errors: 1 } },
      warnings: [
        'node_reflection.file_too_large',
        'node_reflection.package_json_unparseable',
        'node_reflection.parse_error',
      ],
      confidence: 'medium',
    },
    { shows: 'another language', files: { 'a.py': 'x = 1\n' }, gives: {}, skipped: 'language_mismatch' },
  ],
});
