/** Sizes, times and counts as people write them, the same on every screen and in every report. JSON has the plain numbers. */

/** `12`, `6,521`. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return '?';
  return String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1.5 MB`; powers of 1000, one decimal below ten. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '?';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 9.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** `12 ms`, `3.4 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '?';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

/** Of work that goes on: in seconds from the start, so that a line that is redrawn does not jump. */
export function formatElapsed(ms: number): string {
  return ms < 999.5 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : formatDuration(ms);
}

/** A moment as it stands in a file or an answer: `2026-11-19 23:26:17 UTC`. */
export function formatTime(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? [];
  return day === undefined ? iso : `${day} ${time} UTC`;
}

/** `just now`, `5 minutes ago`, `3 days ago`, and the date of what is older than a month or lies ahead. */
export function formatAge(thenMs: number, nowMs: number): string {
  const seconds = Math.round((nowMs - thenMs) / 1000);
  if (!Number.isFinite(seconds)) return '?';
  if (seconds < -60 || seconds >= 31 * 86_400) return new Date(thenMs).toISOString().slice(0, 10);
  if (seconds < 60) return 'just now';
  const [unit, noun] =
    seconds < 3600
      ? ([60, 'minute'] as const)
      : seconds < 86_400
        ? ([3600, 'hour'] as const)
        : ([86_400, 'day'] as const);
  const count = Math.floor(seconds / unit);
  return `${count} ${noun}${count === 1 ? '' : 's'} ago`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
