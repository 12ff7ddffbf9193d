// npm run fuzz -- programs [options]: renames in random programs that run, judged by what they print.
// npm run fuzz -- <dir> [options]: renames of random symbols of a real project, judged by another compiler.

const isOfPrograms = process.argv[2] === 'programs';
// The part reads its own options.
if (isOfPrograms) process.argv.splice(2, 1);
await (isOfPrograms ? import('./fuzz-programs.ts') : import('./fuzz-renames.ts'));
