/** Where objectives are declared: files named after them, and where Prometheus rules usually live. */

export const sloFileGlobs: readonly string[] = ['**/*.{slo,openslo}.{yaml,yml}'];

export const ruleFileGlobs: readonly string[] = [
  '**/*{rules,alerts}*.{yaml,yml}',
  '**/{prometheus,alerts,alerting}/**/*.{yaml,yml}',
];
