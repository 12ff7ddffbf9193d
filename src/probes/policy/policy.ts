/** The policy directories that apply to this repository: which policies they hold, and a digest that tells when they change. */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { perFileErrorSchema } from '../shared/authored-files.ts';

const section = z.strictObject({
  policy_repos: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string(),
      exists_on_disk: z.boolean(),
      files: z.int(),
      /** Over names and contents of all files; null when there is nothing to digest. */
      digest: namedOnly(z.string()).nullable(),
      policies: z.array(
        z.strictObject({
          id: z.string(),
          path: namedOnly(z.string()),
          kind: z.enum(['rego', 'yaml', 'cue', 'other']),
        }),
      ),
    }),
  ),
  per_file_errors: z.array(perFileErrorSchema(['path_absent', 'path_not_directory', 'symlink_refused', 'unreadable'])),
});

export default defineProbe({
  name: 'policy',
  version: '0.1.0',
  layer: 'D',
  says: 'Configured policy directories and the policies in them.',
  heaviness: 'light',
  sections: { 'organizational.policies': section },
  declaredInputs: ['config:policy_repos', 'config:policy_repos:**'],
  configKeys: ['policy_repos'],
  timeoutSeconds: 5,
  warningIds: ['policy.repo_absent', 'policy.per_file_errors_present', 'policy.listing_truncated'],
  confidenceRule:
    'high when every directory is there and every policy was read, medium when a file was not, low when a directory is absent',
  examples: [
    {
      shows: 'a user config with a policy directory',
      files: {
        '~/.codegenie/config.yaml': 'policy_repos:\n  - {path: ~/policies, type: opa}\n',
        '~/policies/images/base.rego': 'package images.base\n\ndefault allow := false\n',
        '~/policies/images/base_test.rego': 'package images.base_test\n',
        '~/policies/limits.yaml': 'metadata:\n  name: require-limits\n',
        '~/policies/README.md': '# Policies\n',
      },
      gives: {
        'organizational.policies': {
          policy_repos: [
            {
              name: 'policies',
              type: 'opa',
              exists_on_disk: true,
              files: 4,
              digest: 'blake3:bb9f43f071a9e88b6bbbff020d3b0c4791d75a56ad4c264de86d22c9e9ec8264',
              policies: [
                { id: 'images.base', path: '~/policies/images/base.rego', kind: 'rego' },
                { id: 'require-limits', path: '~/policies/limits.yaml', kind: 'yaml' },
              ],
            },
          ],
          per_file_errors: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a directory that is not there, and a path that is a file',
      files: {
        '~/.codegenie/config.yaml':
          'policy_repos:\n  - {path: ~/gone, type: opa}\n  - {path: ~/file.rego, type: opa}\n',
        '~/file.rego': 'package x\n',
      },
      gives: {
        'organizational.policies': {
          policy_repos: [
            { name: 'file.rego', type: 'opa', exists_on_disk: true, files: 0, digest: null, policies: [] },
            { name: 'gone', type: 'opa', exists_on_disk: false, files: 0, digest: null, policies: [] },
          ],
          per_file_errors: [
            { path: '~/file.rego', reason: 'path_not_directory' },
            { path: '~/gone', reason: 'path_absent' },
          ],
        },
      },
      warnings: ['policy.repo_absent', 'policy.per_file_errors_present'],
      confidence: 'low',
    },
    {
      shows: 'without configured directories it is skipped',
      files: { 'a.txt': 'x' },
      gives: {},
      skipped: 'not_configured',
    },
  ],
  applies: (repo) => repo.config.policy_repos.length > 0 || 'not_configured',
  /** An empty directory has no files that could be in the cache key: whether it is there is asked again. */
  async revalidate(output, ctx) {
    const stored = output['organizational.policies'];
    const repos = isJsonObject(stored) && Array.isArray(stored['policy_repos']) ? stored['policy_repos'] : [];
    const empty = repos.filter((entry) => isJsonObject(entry) && entry['files'] === 0);
    if (empty.length === 0) return true;
    const { kindOnDisk } = await import('./gather-policy.ts');
    const kinds = ctx.config.policy_repos.map((entry) => kindOnDisk(entry.path));
    return kinds.every((kind) => kind === 'directory') && empty.every((entry) => entry['exists_on_disk'] === true);
  },
  async run(repo, ctx) {
    const { gatherPolicy } = await import('./gather-policy.ts');
    return gatherPolicy(repo, ctx);
  },
});
