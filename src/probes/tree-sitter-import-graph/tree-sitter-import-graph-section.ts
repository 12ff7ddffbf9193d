/** What the import graph rests on: the sources, what says how their imports are resolved, and the names of what else they may mean. */

export const sourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go,rs,java}'];

/** Files that resolvers read: options, packages, modules, crates, projects. */
export const configGlobs: readonly string[] = [
  '**/package.json',
  '**/*{ts,js}config*.json',
  '**/*{tsconfig,typescript-config}*/*.json',
  '**/pnpm-workspace.yaml',
  '**/go.{mod,work}',
  '**/Cargo.toml',
  '**/{pyproject.toml,setup.cfg,setup.py}',
];

/** Imported by name, never parsed here: data, styles, components, images. */
const assetGlobs: readonly string[] = [
  'names:**/*.{json,css,scss,sass,less,styl,vue,svelte,astro,mdx,graphql,gql,html,txt,wasm,node}',
  'names:**/*.{svg,png,jpg,jpeg,gif,webp,avif,ico,woff,woff2,ttf,otf,mp3,mp4}',
];

export const importGraphInputs: readonly string[] = [...sourceGlobs, ...configGlobs, ...assetGlobs];
