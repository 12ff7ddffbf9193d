/**
 * Where a text has the letters by which secrets begin, found in one walk for all patterns at once: an expression that is run over the whole
 * text looks at every character again, and there are a dozen of them.
 * Promise: a pattern of a group matches nowhere but at `places` of that group, and nowhere at all where the group is not there.
 */

/** Letters in any case; `exact` in just this one. Three at least. */
type Group = { readonly exact: boolean; readonly literals: readonly string[] };

const words = (text: string): Group => ({ exact: false, literals: text.split(' ') });
const exactly = (text: string, ...more: readonly string[]): Group => ({
  exact: true,
  literals: [...text.split(' '), ...more],
});

/** Letters of formats that hold a secret at a fixed place (`apart.ts`), in lower case. */
export const apartLiterals = {
  docker: ['"auth"'],
  npm: ['_auth'],
  yarn: ['npmauthident'],
  ldap: ['bindpw', 'bind_pw'],
  powershell: ['securestring'],
  keyInBase64: ['ls0tls1crudjti'],
  signedAddress: ['sig='],
  goMysql: ['@tcp(', '@unix('],
  oracle: ['jdbc:oracle'],
  sqlplus: ['sqlplus'],
  pgpass: [':5432:', ':*:'],
  hash: ['$apr1$', '$2a$', '$2b$', '$2y$', '$6$', '$argon2'],
  putty: ['private-lines'],
  kubernetes: ['stringdata', 'kind: secret'],
  sql: ['identified'],
  cookie: ['cookie:'],
  header: ['authorization'],
} as const satisfies Record<string, readonly string[]>;
const everyApart: readonly string[] = Object.values(apartLiterals).flat();

const groups = {
  /** `secretNamePart` begins with one of these. */
  secretNames: words('password passwd secret token api private'),
  /** `likelyNamePart` likewise. */
  likelyNames: words('pass pwd access account encryption signing master shared'),
  /** Names of programs whose arguments are read. */
  programs: exactly(
    'curl wget aria2c mysql mariadb login sshpass cqlsh mongo redis-cli ldap sqlcmd isql tsql unzip zip mosquitto_ 7za 7zr unrar smbclient rpcclient winexe lftp htpasswd add_user change_password config http',
    '7z ',
  ),
  /** What the patterns of tokens have in them. */
  tokens: exactly(
    'AKIA ASIA ABIA ACCA ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glcbt- glptt- glsoat- npm_ authToken pypi-AgEI sk- AIza ya29. xox xapp- hooks.slack.com sk_live_ sk_test_ rk_live_ rk_test_ whsec_ SG. AccountKey= dapi hf_ dckr_pat_ hvs. hvb. lin_api_ AGE-SECRET-KEY-1',
    ...[...'0123456789abcdef'].map((digit) => `SK${digit}`),
  ),
  jwts: exactly('eyJ'),
  addresses: exactly('://'),
  authorizations: words('authorization'),
  connections: words('password pwd'),
  dockerfiles: exactly('ENV'),
  pipes: exactly('echo printf'),
  apart: { exact: false, literals: everyApart },
} as const satisfies Record<string, Group>;

export type LiteralGroup = keyof typeof groups;

export type Literals = {
  readonly has: (group: LiteralGroup) => boolean;
  /** In order. */
  readonly places: (group: LiteralGroup) => readonly number[];
};

const names = Object.keys(groups) as LiteralGroup[];
type Entry = { readonly group: number; readonly text: string; readonly exact: boolean };

/** Letters as 1 to 26 whatever their case, digits and what names are joined by as the rest of five bits, all others as 0. */
const folded = new Uint8Array(256);
for (let at = 0; at < 26; at += 1) folded[65 + at] = folded[97 + at] = at + 1;
for (const [at, char] of [...'_-:/'].entries()) folded[char.charCodeAt(0)] = 27 + at;
for (const digit of '0123456789') folded[digit.charCodeAt(0)] = 31;

const foldOf = (text: string, at: number) => folded[text.charCodeAt(at)] as number;
/** By the first three characters, folded. */
const byHead: (readonly Entry[] | undefined)[] = new Array(1 << 15).fill(undefined);
for (const [group, name] of names.entries())
  for (const text of groups[name].literals) {
    const head = (foldOf(text, 0) << 10) | (foldOf(text, 1) << 5) | foldOf(text, 2);
    byHead[head] = [...(byHead[head] ?? []), { group, text, exact: groups[name].exact }];
  }
const isHead = Uint8Array.from(byHead, (entries) => (entries === undefined ? 0 : 1));

let last: { readonly text: string; readonly literals: Literals } | undefined;

/** The finders ask about one text after the other. */
export function literalsOf(text: string): Literals {
  if (last?.text !== text) last = { text, literals: scan(text) };
  return last.literals;
}

let scratch = Buffer.allocUnsafe(1 << 16);

function scan(text: string): Literals {
  const found: number[][] = names.map(() => []);
  if (scratch.length < text.length) scratch = Buffer.allocUnsafe(text.length * 2);
  const bytes = scratch;
  // Of a character beyond Latin 1 this is half: it may look like a letter, and is compared as it is below.
  const length = bytes.write(text, 'latin1');
  let head = 0;
  for (let at = 0; at < length; at += 1) {
    head = ((head << 5) & 0x7fff) | (folded[bytes[at] as number] as number);
    if (isHead[head] === 1 && at > 1) collect(text, at - 2, byHead[head] as readonly Entry[], found);
  }
  const of = (group: LiteralGroup) => found[names.indexOf(group)] as readonly number[];
  return { has: (group) => of(group).length > 0, places: of };
}

function collect(text: string, start: number, entries: readonly Entry[], found: readonly number[][]): void {
  for (const { group, text: literal, exact } of entries) {
    const list = found[group] as number[];
    // Two literals of a group may begin at one place.
    if (list.at(-1) !== start && isAt(text, start, literal, exact)) list.push(start);
  }
}

function isAt(text: string, start: number, literal: string, exact: boolean): boolean {
  if (exact) return text.startsWith(literal, start);
  for (let at = 0; at < literal.length; at += 1) {
    const code = text.charCodeAt(start + at);
    const wanted = literal.charCodeAt(at);
    if (code !== wanted && (code | 32) !== wanted) return false;
  }
  return true;
}

/** Says of every place that it may be one: so a search by it finds what the patterns themselves find. */
export function everyLiteral(text: string): Literals {
  const places = Array.from({ length: text.length }, (_, at) => at);
  return { has: () => true, places: () => places };
}
