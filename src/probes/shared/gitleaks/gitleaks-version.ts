/** What would look for secrets now, and by which rules: gitleaks with its own or the user's, else the redactor's patterns. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { blake3Hex } from '../../../kernel/base/hash.ts';
import * as patterns from '../../../kernel/secrets/patterns.ts';
import { expectedRulePackVersion, type RuleFile, rulePackVersion } from '../scan/rule-pack-version.ts';
import { gitleaksConfigVersion } from './gitleaks-config.ts';

export const userConfigId = 'config:gitleaks.config:0';

/** Raised when the same patterns are looked for in another way. */
const builtinVersion = 'builtin-1';

/** `toolVersion` is that of gitleaks, `absent` where there is none. Null where it is there and does not say which one it is. */
export function expectedGitleaksVersion(repo: ProbeRepo, toolVersion: string): string | null {
  return toolVersion === 'absent'
    ? builtinRulesVersion()
    : expectedRulePackVersion(toolVersion, listGitleaksRules(repo));
}

export function gitleaksRulesVersion(repo: ProbeRepo, toolVersion: string): string {
  return rulePackVersion(toolVersion, listGitleaksRules(repo));
}

export function builtinRulesVersion(): string {
  return rulePackVersion(builtinVersion, [{ name: 'patterns', hash: patternsHash() }]);
}

function patternsHash(): string {
  return blake3Hex(JSON.stringify(patterns, (_, value: unknown) => (value instanceof RegExp ? String(value) : value)));
}

function listGitleaksRules(repo: ProbeRepo): RuleFile[] {
  const own = repo.inputs.fingerprint(userConfigId);
  return [
    own?.kind === 'file'
      ? { name: 'user.toml', hash: own.contentHash }
      : { name: 'default', hash: gitleaksConfigVersion },
    { name: 'patterns', hash: patternsHash() },
  ];
}
