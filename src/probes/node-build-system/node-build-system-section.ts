/** The section about how a Node repository is built. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { packageManagers } from '../shared/node-packages.ts';

const path = namedOnly(z.string());
const version = namedOnly(z.string()).nullable();

export const buildSystemSection = z.strictObject({
  package_manager: z.enum(packageManagers).nullable(),
  package_manager_version: version,
  lockfile: z.string().nullable(),
  additional_lockfiles: z.array(z.string()),
  workspaces: z.array(z.strictObject({ name: namedOnly(z.string()).nullable(), path })),
  commands: z.array(z.strictObject({ name: namedOnly(z.string()), command: namedOnly(z.string()) })),
  bundler: z.string().nullable(),
  bundlers: z.array(z.string()),
  typescript: z
    .strictObject({
      compiler_options_path: path,
      resolved_compiler_options: namedOnly(z.record(z.string(), z.json())).describe(
        'options of the compiler by name, paths root-relative; `paths` as a list of {pattern, targets}',
      ),
      extends_chain: z.array(path).describe('the configuration first, then every file it extends'),
    })
    .nullable(),
  node_version_pinned: version,
  node_version_constraint: version,
  node_version_resolved_locally: version,
  output_artifacts: z.array(path).describe('directories end in a slash'),
});
