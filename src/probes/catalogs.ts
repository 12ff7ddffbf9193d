/** The built-in catalogs by name. A probe that declares one has the hash of its canonical JSON in its cache key. */

import type { Json } from '../kernel/base/json.ts';
import { astGrepRulesCatalog } from './ast-grep/ast-grep-catalog.ts';
import { osPackageRolesCatalog } from './sbom/os-package-roles.ts';
import { semgrepRulesCatalog } from './semgrep/semgrep-catalog.ts';
import { nativeModulesCatalog } from './shared/native-modules.ts';
import { shellReplacementsCatalog } from './shell-usage/shell-replacements.ts';

export const catalogs: Readonly<Record<string, Json>> = {
  'ast-grep-rules': astGrepRulesCatalog as unknown as Json,
  'native-modules': nativeModulesCatalog,
  'semgrep-rules': semgrepRulesCatalog,
  'os-package-roles': osPackageRolesCatalog,
  'shell-replacements': shellReplacementsCatalog,
};
