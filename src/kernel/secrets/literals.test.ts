import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { apartSamples, secretSamples } from '../../../test/support/secret-samples.ts';
import { findSecrets } from './find-secrets.ts';
import { everyLiteral, literalsOf } from './literals.ts';

const names =
  'password passwd secret token api_key apikey private-key pass pwd passphrase access_key accountkey signing-key masterkey shared_key authorization ENV echo printf curl wget aria2c mysql mysqldump mariadb login sshpass cqlsh mongosh redis-cli ldapsearch sqlcmd isql tsql unzip zip mosquitto_pub 7z 7za unrar smbclient rpcclient winexe lftp htpasswd add_user change_password config configure http https eyJ SG. SK0 sk- npm_ AKIA set';
const flags =
  '--token --password -u -p -H -a -b -P --user --header --db-pass -storepass --from-literal --password-stdin';
const values = `hunter2-hunter2 admin:hunter2hunter2 \${X} changeme x 1234567890 "two words" 'a' user%hunter22 X-Api-Key:\\ abcdefgh12`;
const signs = [
  '=',
  ': ',
  ':',
  '://',
  '@',
  ' ',
  '  ',
  '\n',
  '\\n',
  '\\t',
  '"',
  "'",
  '\\"',
  ',',
  ', ',
  '[',
  ']',
  '|',
  ' | ',
  '-',
  '_',
  '.',
  '$',
  '/',
  ';',
  '%5F',
  '%',
  'é',
  '\u{1f511}',
  'ſ',
  'K',
  '\0',
];
const cased = (word: string) => fc.constantFrom(word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1));
const word = fc.constantFrom(...names.split(' ')).chain(cased);
const piece = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 5, arbitrary: fc.constantFrom(...signs) },
  { weight: 2, arbitrary: fc.constantFrom(...flags.split(' ')) },
  { weight: 2, arbitrary: fc.constantFrom(...values.split(' ')) },
  fc.constantFrom(...apartSamples.map(({ text }) => text)),
  fc.constantFrom(
    ...Object.values(secretSamples).flatMap((samples) => samples.flatMap(({ text, mutation }) => [text, mutation])),
  ),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''));

test('a search where the letters are finds what a search everywhere finds', () => {
  let found = 0;
  fc.assert(
    fc.property(text, fc.boolean(), (one, entropy) => {
      // Long enough that no text is put aside by the look that short ones get.
      const given = one.padEnd(600, ' ');
      const spans = findSecrets(given, { entropy });
      found += spans.length;
      expect(spans).toEqual(findSecrets(given, { entropy }, everyLiteral));
    }),
    { numRuns: 1_500 },
  );
  expect(found).toBeGreaterThan(200);
});

test('places are in order, each once, and letters of other scripts are no letters', () => {
  expect(literalsOf('Password passPASS pwd').places('likelyNames')).toEqual([0, 9, 13, 18]);
  expect(literalsOf('pa\u017f\u017fword \u0170assword to\u212aen').places('secretNames')).toEqual([]);
  expect(literalsOf('pa').has('likelyNames')).toBe(false);
});
