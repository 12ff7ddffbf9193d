/**
 * What a file is, decided from its name and one read of its bytes (code-plane.md §1.4).
 * Invariant F10: a secret-bearing name is enough; such a file is never opened.
 */

import { isAscii, isUtf8 } from 'node:buffer';

const secretNames =
  /^(?:\.env|\.env\.(?!example$|sample$|template$).*|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|id_rsa.*|id_ed25519.*|\.npmrc|\.pypirc|\.netrc|\.htpasswd|credentials|service-account.*\.json|.*\.tfstate.*)$/s;
const secretDirectories = /(?:^|\/)(?:secrets|credentials)\//;

/** `hasGrammar`: source code in a folder called `secrets` is source code. */
export function isSecretBearing(path: string, hasGrammar: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return secretNames.test(name) || (!hasGrammar && secretDirectories.test(path));
}

export type Eol = 'lf' | 'crlf' | 'mixed' | 'odd' | 'none';

type DecodedText =
  | { readonly kind: 'text'; readonly text: string; readonly bom: boolean; readonly isAscii: boolean }
  | { readonly kind: 'skip'; readonly reason: 'binary' | 'encoding' | 'lfs' };

const binaryWindowBytes = 8 * 1024;
const lfsLine = Buffer.from('version https://git-lfs.github.com/spec/');

/** The decoded text leaves out a BOM; byte offsets count it. */
export function decodeText(bytes: Buffer): DecodedText {
  if (hasWideBom(bytes)) return { kind: 'skip', reason: 'encoding' };
  const nul = bytes.indexOf(0);
  if (nul >= 0 && nul < binaryWindowBytes) return { kind: 'skip', reason: 'binary' };
  if (bytes.length < 1024 && bytes.subarray(0, lfsLine.length).equals(lfsLine)) return { kind: 'skip', reason: 'lfs' };
  if (isAscii(bytes)) return { kind: 'text', text: bytes.toString('latin1'), bom: false, isAscii: true };
  if (!isUtf8(bytes)) return { kind: 'skip', reason: 'encoding' };
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { kind: 'text', text: bytes.toString('utf8', bom ? 3 : 0), bom, isAscii: false };
}

function hasWideBom(bytes: Buffer): boolean {
  const [a, b] = bytes;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0 && b === 0 && bytes[2] === 0xfe);
}

const generatedWindowChars = 4 * 1024;

export function hasGeneratedHeader(text: string): boolean {
  const head = text.length > generatedWindowChars ? text.slice(0, generatedWindowChars) : text;
  return head.includes('@generated') || head.includes('DO NOT EDIT');
}

const interpreters: Readonly<Record<string, string>> = {
  node: 'javascript',
  nodejs: 'javascript',
  deno: 'typescript',
  bun: 'typescript',
  'ts-node': 'typescript',
  tsx: 'typescript',
  python: 'python',
  python2: 'python',
  python3: 'python',
  ruby: 'ruby',
  php: 'php',
  perl: 'perl',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  dash: 'shell',
};

/** The language a first line `#!…` names, for files whose name says nothing. */
export function languageOfShebang(text: string): string | null {
  if (!text.startsWith('#!')) return null;
  const end = text.indexOf('\n');
  const words = text
    .slice(2, end < 0 ? 256 : Math.min(end, 256))
    .trim()
    .split(/\s+/);
  const program = (words[0] ?? '').split('/').at(-1) ?? '';
  const named =
    program === 'env' ? words.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) : program;
  const name =
    (named ?? '')
      .split('/')
      .at(-1)
      ?.replace(/(?<=python|ruby|php)[\d.]+$/, '') ?? '';
  return Object.hasOwn(interpreters, name) ? (interpreters[name] as string) : null;
}
