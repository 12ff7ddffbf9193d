import { expect, test } from 'vitest';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractTlsOptions } from './tls-options.ts';

async function overrides(text: string): Promise<readonly string[]> {
  const found = await withParsedSource('typescript', new TextEncoder().encode(text), extractTlsOptions);
  return found.map(({ line, kind }) => `${line} ${kind}`);
}

test.each([
  ['tls.createSecureContext({});', ['1 create_secure_context']],
  ['const a = new https.Agent({ ca: bundle });', ['1 ca_option']],
  ['axios.create({\n  httpsAgent: new Agent({\n    ca,\n  }),\n});', ['3 ca_option']],
  ["const options = { ca: fs.readFileSync('ca.pem') };", ['1 ca_option']],
  ['const options = { ca: bundle, cert: own };', ['1 ca_option']],
  ['new Pool({ ssl: { rejectUnauthorized: false } });', ['1 reject_unauthorized_false']],
  ['https.globalAgent.options.ca = bundle;', ['1 ca_option']],
  [
    "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';\nprocess.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';",
    ['1 tls_verification_disabled_by_env', '2 tls_verification_disabled_by_env'],
  ],
  ["const names = { ca: 'Català', de: 'Deutsch' };", []],
  ["https.createServer(options, () => send({ ca: 'x' }));", []],
  ['// rejectUnauthorized: false\nf({ rejectUnauthorized: true, ca: undefined });', []],
  ['new https.Agent({ ca: undefined, cert });', []],
  ['const = {{{ ca: ', []],
  ['', []],
])('%s', async (text, expected) => {
  expect(await overrides(text)).toEqual(expected);
});
