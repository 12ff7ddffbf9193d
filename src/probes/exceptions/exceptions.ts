/** Exceptions that were approved for this repository: those still in force today (UTC), and those that have run out. */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { perFileErrorSchema } from '../shared/authored-files.ts';

const exception = z.strictObject({
  repo_glob: namedOnly(z.string()),
  task: z.string(),
  reason: z.string(),
  expires: z.string(),
  approver: z.string(),
  /** The file it was read from. */
  source: namedOnly(z.string()),
});

const section = z.strictObject({
  active: z.array(exception),
  expired: z.array(exception),
  per_file_errors: z.array(
    perFileErrorSchema([
      'exceptions_yaml_not_list',
      'malformed_entry',
      'unsafe_yaml',
      'symlink_refused',
      'size_cap_exceeded',
      'unreadable',
    ]),
  ),
});

export default defineProbe({
  name: 'exceptions',
  version: '0.1.0',
  layer: 'D',
  says: 'Approved exceptions that concern this repository and task, active and expired.',
  heaviness: 'light',
  sections: { 'organizational.exceptions': section },
  declaredInputs: [
    'config:exceptions.user_path',
    'config:exceptions.repo_path',
    'utc-date:<resolved>',
    'repo-id:<resolved>',
  ],
  configKeys: ['exceptions.user_path', 'exceptions.repo_path'],
  taskSensitive: true,
  timeoutSeconds: 5,
  warningIds: ['exceptions.malformed_entry', 'exceptions.per_file_errors_present', 'exceptions.expired_present'],
  confidenceRule: 'high when every entry was read, medium when an entry or a file was not, low when no file was usable',
  examples: [
    {
      shows: 'one active, one expired; entries for other repositories are left out',
      files: {
        '.codegenie/exceptions.yaml': [
          '- {repo_glob: "*", task: "*", reason: Vendor bug, expires: 9999-12-31, approver: ann}',
          '- {repo_glob: "**", task: distroless_migration, reason: Not yet, expires: 2020-01-01, approver: bob}',
          '- {repo_glob: other-org/other-repo, task: "*", reason: Theirs, expires: 9999-12-31, approver: cy}',
        ].join('\n'),
      },
      gives: {
        'organizational.exceptions': {
          active: [
            {
              repo_glob: '*',
              task: '*',
              reason: 'Vendor bug',
              expires: '9999-12-31',
              approver: 'ann',
              source: '.codegenie/exceptions.yaml',
            },
          ],
          expired: [
            {
              repo_glob: '**',
              task: 'distroless_migration',
              reason: 'Not yet',
              expires: '2020-01-01',
              approver: 'bob',
              source: '.codegenie/exceptions.yaml',
            },
          ],
          per_file_errors: [],
        },
      },
      warnings: ['exceptions.expired_present'],
      confidence: 'high',
    },
    {
      shows: 'a task that is set leaves out what concerns another one; both files are read',
      task: 'distroless_migration',
      files: {
        '~/.codegenie/exceptions.yaml':
          'exceptions:\n- {repo_glob: "*", task: other_task, reason: No, expires: 9999-12-31, approver: ann}\n- {repo_glob: "*", task: distroless_migration, reason: Yes, expires: 9999-12-31, approver: ann}\n',
      },
      gives: {
        'organizational.exceptions': {
          active: [
            {
              repo_glob: '*',
              task: 'distroless_migration',
              reason: 'Yes',
              expires: '9999-12-31',
              approver: 'ann',
              source: '~/.codegenie/exceptions.yaml',
            },
          ],
          expired: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'entries that cannot be used are told one by one',
      files: {
        '.codegenie/exceptions.yaml':
          '- {repo_glob: "*", task: "*", reason: a, expires: 2024-02-30, approver: ann}\n- just text\n- {repo_glob: "*", task: "*", reason: b, expires: 9999-01-01, approver: bob}\n',
        '~/.codegenie/exceptions.yaml': 'exceptions: nothing\n',
      },
      gives: {
        'organizational.exceptions': {
          active: [
            {
              repo_glob: '*',
              task: '*',
              reason: 'b',
              expires: '9999-01-01',
              approver: 'bob',
              source: '.codegenie/exceptions.yaml',
            },
          ],
          expired: [],
        },
      },
      warnings: ['exceptions.malformed_entry', 'exceptions.per_file_errors_present'],
      confidence: 'medium',
    },
    {
      shows: 'without an exceptions file it is skipped',
      files: { 'a.txt': 'x' },
      gives: {},
      skipped: 'not_configured',
    },
  ],
  async run(repo, ctx) {
    const ids = repo.inputs.list();
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no exceptions file' };
    const { gatherExceptions } = await import('./gather-exceptions.ts');
    return gatherExceptions(repo, ctx, ids);
  },
});
