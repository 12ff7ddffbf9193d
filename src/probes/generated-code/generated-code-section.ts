/** Which files may be generated code, what else the probe reads, and its section. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { nodeLockfiles } from '../shared/node-packages.ts';

/** What may be generated code: sources of every language, not data. */
export const generatedSourceGlobs: readonly string[] = [
  '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go,rs,java,kt,kts,scala,cs,fs,cc,cpp,cxx,hpp,hh,c,h,m,mm,swift,rb,php}',
  '**/*.{ex,exs,erl,hs,ml,mli,lua,r,jl,dart,zig,nim,pl,pm,sh,bash,zsh,ps1,sql,css,scss,sass,less,cue,vue,svelte,astro,graphql,gql,proto,tf}',
];

/** Documents and manifests that say at their top who wrote them. */
export const generatedTextGlobs: readonly string[] = ['**/*.{md,mdx,html,htm}', '**/{crd,crds}/**/*.{yaml,yml}'];
/** What runs generators: the file that a command writes is named there. */
export const generatorTaskGlobs: readonly string[] = ['**/{Makefile,makefile,GNUmakefile}', '**/*.mk'];

/** Which of them lie in the root says which manager runs the scripts. */
const lockfileNames = `names:{${nodeLockfiles.join(',')}}`;

export const generatedCodeInputs: readonly string[] = [
  ...generatedSourceGlobs,
  ...generatedTextGlobs,
  ...generatorTaskGlobs,
  'names:**/*.json',
  '**/.gitattributes',
  '**/package.json',
  '**/tsconfig*.json',
  lockfileNames,
];

const path = namedOnly(z.string());

export const generatedCodeSection = z.strictObject({
  files: z.array(
    z.strictObject({
      path,
      /** The tool as it names itself; `linguist_generated`, `directory_convention`, or `unknown`. */
      generator: namedOnly(z.string()),
      source_spec: path.nullable(),
      regenerate_command: namedOnly(z.string()).nullable(),
    }),
  ),
  /** Directories end in a slash. */
  build_outputs: z.array(path),
  linguist_generated: z.array(path),
});
