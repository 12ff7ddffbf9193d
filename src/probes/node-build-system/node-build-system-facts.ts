/** How a Node repository is installed, as facts. */

import { type Claim, factsOf, known } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { buildSystemSection } from './node-build-system-section.ts';

export const buildSystemFacts = factsOf('build_system', buildSystemSection, [
  {
    id: 'package_manager',
    says: 'What installs the dependencies; with its version where the repository pins one.',
    of: 'the repository, or a component',
    value: z.union([z.string(), z.strictObject({ name: z.string(), version: z.string() })]),
    from: 'packageManager of package.json, lock files',
    state: ({ package_manager: manager, package_manager_version: version, lockfile }) => {
      if (manager === null) return [];
      const name = manager.replace(/-(?:classic|berry)$/, '');
      const evidence: Claim[] = [];
      if (version !== null) evidence.push({ path: 'package.json', shows: 'packageManager' });
      if (lockfile !== null) evidence.push({ path: lockfile, shows: null });
      if (evidence.length === 0) return [];
      const how = version === null ? 'its lock file' : 'packageManager of package.json';
      return [known('.', version === null ? name : { name, version }, { because: 'declared', how, evidence })];
    },
  },
]);
