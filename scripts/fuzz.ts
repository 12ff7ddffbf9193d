// npm run fuzz -- programs [options]: renames in random programs that run, judged by what they print.
// npm run fuzz -- refs <dir> [options]: references of random names of a real project, judged by another compiler.
// npm run fuzz -- proofs <dir> [options]: renames of random members of a real project, proved with what spares questions and without.
// npm run fuzz -- <dir> [options]: renames of random symbols of a real project, judged by another compiler.
// npm run fuzz -- <dir> --tests "<command>" [options]: renames and moves of a real project, judged by its tests; `report <work>…` adds them up.

const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  programs: () => import('./fuzz-programs.ts'),
  refs: () => import('./fuzz-refs.ts'),
  proofs: () => import('./fuzz-proofs.ts'),
};
const part = parts[process.argv[2] ?? ''];
// The part reads its own options.
if (part !== undefined) {
  process.argv.splice(2, 1);
  await part();
} else if (process.argv[2] === 'report' || process.argv.includes('--tests')) await import('./fuzz-projects.ts');
else await import('./fuzz-renames.ts');
