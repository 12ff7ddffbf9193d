/** What generated_code rests on. */

import { nodeLockfiles } from '../shared/node-packages.ts';

/** What may be generated code: sources of every language, not data. */

export const generatedSourceGlobs: readonly string[] = [
  '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go,rs,java,kt,kts,scala,cs,fs,cc,cpp,cxx,hpp,hh,c,h,m,mm,swift,rb,php}',
  '**/*.{ex,exs,erl,hs,ml,mli,lua,r,jl,dart,zig,nim,pl,pm,sh,bash,zsh,ps1,sql,css,scss,vue,svelte,astro,graphql,gql,proto,tf}',
];

/** Which of them lie in the root says which manager runs the scripts. */
const lockfileNames = `names:{${nodeLockfiles.join(',')}}`;

export const generatedCodeInputs: readonly string[] = [
  ...generatedSourceGlobs,
  '**/.gitattributes',
  '**/package.json',
  '**/tsconfig*.json',
  lockfileNames,
];
