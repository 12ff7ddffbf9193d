/** Inode numbers as the store keeps them: some file systems use all 64 bits, a number in a row has 53. Compared for equality only. */

const limit = 2 ** 53;

export function foldInode(ino: number): number {
  return ino < limit ? ino : ino % limit;
}
