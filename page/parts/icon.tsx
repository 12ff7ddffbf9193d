/** Drawn here: sixteen units square, one stroke. */

import type { VNode } from 'preact';

const shapes = {
  mark: 'M6 3 2.5 8 6 13M10 3l3.5 5L10 13',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  facts: 'M3 3.5h10M3 8h10M3 12.5h6',
  ask: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  change: 'M3 5h8.5M9 2.5 11.5 5 9 7.5M13 11H4.5M7 8.5 4.5 11 7 13.5',
  health: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  map: 'M2.5 2.5h5v7h-5zM9.5 2.5h4v4h-4zM9.5 8.5h4v5h-4zM2.5 11.5h5v2h-5z',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  half: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12M8 5h4.6M8 8h6M8 11h4.6',
  warn: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 11.8v.2',
  close: 'm4 4 8 8M12 4l-8 8',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3',
} as const;
export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}
