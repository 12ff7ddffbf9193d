/** The built-in catalogs by name. A probe that declares one has the hash of its canonical JSON in its cache key. */

import type { Json } from '../../kernel/base/json.ts';
import { astGrepRulesCatalog } from './ast-grep-rules.ts';
import { nativeModulesCatalog } from './native-modules.ts';
import { osPackageRolesCatalog } from './os-package-roles.ts';
import { semgrepRulesCatalog } from './semgrep-rules.ts';
import { shellReplacementsCatalog } from './shell-replacements.ts';

export const catalogs: Readonly<Record<string, Json>> = {
  'ast-grep-rules': astGrepRulesCatalog as unknown as Json,
  'native-modules': nativeModulesCatalog,
  'semgrep-rules': semgrepRulesCatalog,
  'os-package-roles': osPackageRolesCatalog,
  'shell-replacements': shellReplacementsCatalog,
};
