/**
 * Where the sources of a built file probably lie when no configuration says so, because a bundler builds the package: below `src/`
 * or the package itself, without the output directory and without a directory that only names a format.
 */

const formats = new Set([
  'cjs',
  'esm',
  'es',
  'es6',
  'es2015',
  'mjs',
  'umd',
  'types',
  'node',
  'browser',
  'commonjs',
  'module',
]);
const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const builtExtension = /(?:\.d)?\.[cm]?[jt]sx?$/;

export function guessSources(packageDirectory: string, built: string): readonly string[] {
  const prefix = packageDirectory === '' ? '' : `${packageDirectory}/`;
  if (!built.startsWith(prefix) || !builtExtension.test(built)) return [];
  const segments = built.slice(prefix.length).replace(builtExtension, '').split('/');
  if (segments.length < 2) return [];
  const behindOutput = segments.slice(1);
  const rests = [behindOutput.join('/')];
  if (behindOutput.length > 1 && formats.has(behindOutput[0] as string)) rests.push(behindOutput.slice(1).join('/'));
  return rests
    .flatMap((rest) => [`${prefix}src/${rest}`, prefix + rest])
    .flatMap((stem) => sourceExtensions.map((extension) => stem + extension));
}
