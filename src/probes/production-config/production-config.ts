/** What environments are configured with, by name: where each value comes from and whether environments agree. Values never leave. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how environment files refer to each other

import { defineProbe } from '../../gather/contract.ts';
import { productionConfigSection } from './production-config-section.ts';

/** BLAKE3 of the literals in the examples. */
const digestOf = {
  info: 'af8c03f0afc32163814dbd798ac4ae5cf7f5307e6c3503149bd1ef6db1085188',
  debug: 'ade1eec05916d17d3983d6053d6df906ab8777c8f1b385af549d83eeecd6b573',
  port80: 'd3496e21eddb0a374d99e39eb753f0d1b540c78bf6953cf2bec6c969bcbb68d0',
  localhost: 'ffe14a7a2c54ab44e21a96a3c4fccb737380374d111c8dc0b247a5734a677566',
  one: 'd63bd9a826af91c1fea371965a64e11ee20f13e46b5f52c59901136605b3a487',
};

export default defineProbe({
  name: 'production_config',
  version: '0.1.0',
  layer: 'E',
  says: 'Settings of each environment by name, kind and digest, and the settings in which environments differ.',
  heaviness: 'light',
  sections: { production_config: productionConfigSection },
  declaredInputs: ['config:production_config.files'],
  configKeys: ['production_config.files'],
  timeoutSeconds: 5,
  warningIds: ['production_config.parse_error'],
  confidenceRule: 'high when every file was read whole; medium when a file or line was not; low when none was',
  applies: (repo) => repo.config['production_config.files'].length > 0 || 'not_configured',
  async run(repo) {
    const { gatherProductionConfig } = await import('./gather-production-config.ts');
    return gatherProductionConfig(repo);
  },
  examples: [
    {
      shows: 'two env files: names, kinds, digests of what is no secret, and what differs',
      files: {
        '.codegenie/config.yaml': 'production_config:\n  files: [.env.production, .env.staging]\n',
        '.env.production':
          'LOG_LEVEL=info\nexport API_URL="https://${HOST}/v1"\nDB_PASSWORD=correct-horse-battery\nHOST=$PUBLIC_HOST\nPORT=80\n',
        '.env.staging': "LOG_LEVEL='debug' # loud\nDB_PASSWORD=hunter2\nHOST=$PUBLIC_HOST\nPORT=80\n",
      },
      gives: {
        production_config: {
          environments: [
            {
              name: 'production',
              path: '.env.production',
              keys: [
                { name: 'API_URL', kind: 'templated', value_digest: null },
                { name: 'DB_PASSWORD', kind: 'literal', value_digest: null },
                { name: 'HOST', kind: 'reference', value_digest: null },
                { name: 'LOG_LEVEL', kind: 'literal', value_digest: digestOf.info },
                { name: 'PORT', kind: 'literal', value_digest: digestOf.port80 },
              ],
            },
            {
              name: 'staging',
              path: '.env.staging',
              keys: [
                { name: 'DB_PASSWORD', kind: 'literal', value_digest: null },
                { name: 'HOST', kind: 'reference', value_digest: null },
                { name: 'LOG_LEVEL', kind: 'literal', value_digest: digestOf.debug },
                { name: 'PORT', kind: 'literal', value_digest: digestOf.port80 },
              ],
            },
          ],
          drift: [
            { key: 'API_URL', environments: ['production'] },
            { key: 'LOG_LEVEL', environments: ['production', 'staging'] },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'yaml and json: nested settings have dotted names',
      files: {
        '.codegenie/config.yaml': 'production_config:\n  files: ["config/*.{yaml,json}"]\n',
        'config/prod.yaml': 'server: {port: 80}\nhosts: ["{{ .Values.host }}"]\n',
        'config/dev.json': '{"server":{"port":80},"hosts":["localhost"]}',
      },
      gives: {
        production_config: {
          environments: [
            {
              name: 'dev',
              path: 'config/dev.json',
              keys: [
                { name: 'hosts.0', kind: 'literal', value_digest: digestOf.localhost },
                { name: 'server.port', kind: 'literal', value_digest: digestOf.port80 },
              ],
            },
            {
              name: 'prod',
              path: 'config/prod.yaml',
              keys: [
                { name: 'hosts.0', kind: 'reference', value_digest: null },
                { name: 'server.port', kind: 'literal', value_digest: digestOf.port80 },
              ],
            },
          ],
          drift: [{ key: 'hosts.0', environments: ['dev', 'prod'] }],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a file that does not parse is said; the other one is read',
      files: {
        '.codegenie/config.yaml': 'production_config:\n  files: [a.json, b.env, gone.env]\n',
        'a.json': '{"a":',
        'b.env': 'A=1\nnot a setting\n',
      },
      gives: {
        production_config: {
          environments: [
            { name: 'b', path: 'b.env', keys: [{ name: 'A', kind: 'literal', value_digest: digestOf.one }] },
          ],
          drift: [],
        },
      },
      warnings: ['production_config.parse_error'],
      confidence: 'medium',
    },
    { shows: 'nothing configured', files: { '.env': 'A=1' }, gives: {}, skipped: 'not_configured' },
  ],
});
