/** The report's colours, light and dark, as data: a test computes the contrast of every text on every ground it stands on. */

export type Palette = Readonly<Record<(typeof names)[number], string>>;

const names = [
  'ground',
  'surface',
  'sunken',
  'line',
  'ink',
  'muted',
  'accent',
  'good',
  'good-ground',
  'warn',
  'warn-ground',
  'bad',
  'bad-ground',
  'calm',
  'calm-ground',
  'track',
] as const;

export const light: Palette = {
  ground: '#f5f6f8',
  surface: '#ffffff',
  sunken: '#f1f3f6',
  line: '#dfe3e9',
  ink: '#171b24',
  muted: '#566072',
  accent: '#3450c8',
  good: '#11693d',
  'good-ground': '#e3f4ea',
  warn: '#7d4e00',
  'warn-ground': '#fcf0d3',
  bad: '#ab1f16',
  'bad-ground': '#fce8e6',
  calm: '#4a5568',
  'calm-ground': '#eceff3',
  track: '#e6e9ee',
};

export const dark: Palette = {
  ground: '#0d1015',
  surface: '#151a21',
  sunken: '#10141a',
  line: '#29303b',
  ink: '#e7eaf0',
  muted: '#9ba6b6',
  accent: '#93a9ff',
  good: '#63d597',
  'good-ground': '#11281c',
  warn: '#f0bb5b',
  'warn-ground': '#2b2211',
  bad: '#ff968c',
  'bad-ground': '#331a1a',
  calm: '#aab4c3',
  'calm-ground': '#1f2630',
  track: '#242b35',
};

/** Text colour and the grounds it is used on. */
export const textOn: readonly (readonly [keyof Palette, readonly (keyof Palette)[]])[] = [
  ['ink', ['ground', 'surface', 'sunken', 'good-ground', 'warn-ground', 'bad-ground', 'calm-ground']],
  ['muted', ['ground', 'surface', 'sunken']],
  ['accent', ['ground', 'surface', 'sunken']],
  ['good', ['surface', 'good-ground']],
  ['warn', ['surface', 'warn-ground']],
  ['bad', ['surface', 'bad-ground']],
  ['calm', ['surface', 'calm-ground']],
];

/** One fill per language of the bar, in order; the last is for the rest. They carry no text. */
export const fills: readonly string[] = [
  '#4c6ef5',
  '#f59f00',
  '#12a37f',
  '#e64980',
  '#22a6c3',
  '#9b6bf3',
  '#e8683f',
  '#7aa518',
  '#8790a0',
];

export function cssVariables(palette: Palette): string {
  return names.map((name) => `--${name}:${palette[name]}`).join(';');
}
