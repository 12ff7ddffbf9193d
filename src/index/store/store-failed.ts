/**
 * The border to SQLite. What the disk does to us (full, unreadable, damaged, held by another) leaves the store as `StoreFailed`;
 * a statement that is wrong or a constraint that is broken is a bug and passes as it is.
 */

export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
  readonly detail: string;
  /** The file is not what it was: it is derived, and a new one is made. */
  readonly damaged: boolean;
  constructor(detail: string, damaged = false) {
    super(`the store cannot be used: ${detail}`);
    this.detail = detail;
    this.damaged = damaged;
  }
}

/** Primary result codes: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const outsideCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);
/** CORRUPT, NOTADB. */
const damageCodes = new Set([11, 26]);
const busyCode = 5;

export function guardSqlite<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== undefined && outsideCodes.has(code))
      throw new StoreFailed((error as Error).message, damageCodes.has(code));
    throw error;
  }
}

/** Whether another connection holds what was asked for. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === busyCode;
}

/** Whether the file itself is not what it should be; everything else is the disk's, and passes. */
export function isDamage(error: unknown): boolean {
  return damageCodes.has(sqliteCode(error) ?? -1);
}

export function isSqliteError(error: unknown): error is Error {
  return sqliteCode(error) !== undefined;
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') return undefined;
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? 1 : errcode & 0xff;
}
