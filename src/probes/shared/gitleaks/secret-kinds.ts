/**
 * Ids of gitleaks' rules, as classes of ours. Its ids change with its versions and the classes do not, so that two scans can be
 * compared, also one by gitleaks with one by the built-in scanner. A rule without a class of ours keeps its own name.
 */

import { type SecretClass, secretClasses } from '../../../kernel/secrets/patterns.ts';

/** The first that matches decides. */
const classesOfRules: readonly (readonly [rule: RegExp, secretClass: SecretClass])[] = [
  [/^aws-access-(?:token|key)/, 'aws_access_key'],
  [/^aws-secret/, 'aws_secret_key'],
  [/^github-/, 'github_token'],
  [/^gitlab-/, 'gitlab_token'],
  [/^npm-/, 'npm_token'],
  [/^pypi-/, 'pypi_token'],
  [/^anthropic-/, 'anthropic_key'],
  [/^openai-/, 'openai_key'],
  [/^(?:gcp|google)-/, 'google_key'],
  [/^slack-/, 'slack_token'],
  [/^stripe-/, 'stripe_key'],
  [/^sendgrid-/, 'sendgrid_key'],
  [/^twilio-/, 'twilio_key'],
  [/^telegram-/, 'telegram_token'],
  [/^azure-/, 'azure_key'],
  [/^databricks-/, 'databricks_token'],
  [/^hugging-?face-/, 'hf_token'],
  [/^docker/, 'docker_pat'],
  [/^(?:hashicorp-)?vault-/, 'vault_token'],
  [/^linear-/, 'linear_key'],
  [/^age-/, 'age_key'],
  [/^jwt/, 'jwt'],
  [/^private-key/, 'private_key'],
  [/^curl-auth-user/, 'url_credentials'],
  [/^(?:curl-auth-header|generic-api-key|hashicorp-tf-password|kubernetes-secret)/, 'assignment'],
];

export function classOfRule(ruleId: string): SecretClass | null {
  return classesOfRules.find(([rule]) => rule.test(ruleId))?.[1] ?? null;
}

const described: Readonly<Record<SecretClass, string>> = {
  aws_access_key: 'AWS access key id',
  aws_secret_key: 'AWS secret key',
  github_token: 'GitHub token',
  gitlab_token: 'GitLab token',
  npm_token: 'npm token',
  pypi_token: 'PyPI token',
  anthropic_key: 'Anthropic key',
  openai_key: 'OpenAI key',
  google_key: 'Google key',
  slack_token: 'Slack token',
  stripe_key: 'Stripe key',
  sendgrid_key: 'SendGrid key',
  twilio_key: 'Twilio key',
  telegram_token: 'Telegram token',
  azure_key: 'Azure key',
  databricks_token: 'Databricks token',
  hf_token: 'Hugging Face token',
  docker_pat: 'Docker access token',
  vault_token: 'Vault token',
  linear_key: 'Linear key',
  age_key: 'age secret key',
  jwt: 'JSON web token',
  private_key: 'private key',
  url_credentials: 'password in an address',
  connection_string: 'password in a connection string or header',
  assignment: 'value assigned to a name that says it is secret',
  entropy: 'text that looks random',
};

export function describeClass(secretClass: SecretClass): string {
  return described[secretClass];
}

export function isSecretClass(text: string): text is SecretClass {
  return (secretClasses as readonly string[]).includes(text);
}
