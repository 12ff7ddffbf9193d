/**
 * The look of the HTML report: its colours as data, because a test computes the contrast of every text on every ground it stands on, and
 * the stylesheet. No external resource, no script: disclosure is `<details>`, themes follow the reader's system.
 */

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

function cssVariables(palette: Palette): string {
  return names.map((name) => `--${name}:${palette[name]}`).join(';');
}

export const stylesheet = `
:root{color-scheme:light dark;${cssVariables(light)};--mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{${cssVariables(dark)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre{font-family:var(--mono);font-size:.88em;unicode-bidi:isolate;overflow-wrap:anywhere}
code{background:var(--sunken);border:1px solid var(--line);border-radius:5px;padding:.05em .36em}
pre{margin:.5rem 0 0;padding:.85rem 1rem;background:var(--sunken);border:1px solid var(--line);border-radius:8px;overflow:auto;max-height:28rem;line-height:1.45;white-space:pre}
h1,h2,h3{line-height:1.2;text-wrap:balance;overflow-wrap:anywhere}
h2{font-size:1.22rem;margin:0 0 .9rem;letter-spacing:-.01em}
h3{font-size:.95rem;margin:1.5rem 0 .55rem}h2+h3{margin-top:0}
p{margin:.5rem 0}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--surface);padding:.5rem .8rem;z-index:2}
.page{max-width:1240px;margin:0 auto;padding:0 1.25rem 4rem}
.muted{color:var(--muted)}.num{font-variant-numeric:tabular-nums;white-space:nowrap}
.eyebrow{color:var(--muted);font-size:.76rem;letter-spacing:.09em;text-transform:uppercase;font-weight:600}

.masthead{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:flex-end;justify-content:space-between;padding:2.6rem 0 1.6rem}
.masthead h1{font-size:clamp(1.7rem,1.2rem + 2.2vw,2.6rem);margin:.25rem 0 .7rem;letter-spacing:-.025em}
.masthead>div{min-width:0}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;list-style:none}
.chip,.pill{display:inline-flex;align-items:center;gap:.4em;border-radius:999px;padding:.16em .7em;font-size:.82rem;background:var(--calm-ground);color:var(--calm);max-width:100%;overflow-wrap:anywhere}
.pill{font-weight:600;font-size:.76rem;white-space:nowrap;overflow:hidden}
.chip code{background:none;border:0;padding:0;color:inherit}
.good{background:var(--good-ground);color:var(--good)}.warn{background:var(--warn-ground);color:var(--warn)}
.bad{background:var(--bad-ground);color:var(--bad)}.calm{background:var(--calm-ground);color:var(--calm)}
.bars{display:inline-flex;align-items:flex-end;gap:2px;height:.95em;flex:none}
.bars i{width:.24em;border-radius:1px;background:currentColor;opacity:.25}
.bars i:nth-child(1){height:40%}.bars i:nth-child(2){height:70%}.bars i:nth-child(3){height:100%}
.bars.high i,.bars.medium i:nth-child(-n+2),.bars.low i:first-child{opacity:1}

.layout{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
.toc ol{display:flex;flex-wrap:wrap;gap:.1rem .25rem;margin:0;padding:0;list-style:none}
.toc a{display:flex;justify-content:space-between;gap:.6em;padding:.28rem .65rem;border-radius:7px;color:var(--muted);text-decoration:none;font-size:.88rem}
.toc a:hover{background:var(--calm-ground);color:var(--ink)}
.toc .n{font-variant-numeric:tabular-nums;font-size:.78rem;font-weight:600}
.toc .n{border-radius:99px;padding:0 .5em}.toc .n.calm{background:none}
@media (min-width:1020px){.layout{grid-template-columns:12.5rem minmax(0,1fr);gap:2rem}.toc{position:sticky;top:1rem;align-self:start}.toc ol{flex-direction:column}}

.card{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:1.35rem 1.5rem;margin:0 0 1.25rem}
.note{border-left:3px solid currentColor;border-radius:0 8px 8px 0;padding:.55rem .9rem;margin:.6rem 0;font-size:.9rem;overflow-wrap:anywhere}
.overview{display:grid;gap:.1rem;margin:0}
.overview>div{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.2rem 1.2rem;padding:.5rem 0;border-top:1px solid var(--line)}
.overview>div:first-child{border-top:0;padding-top:0}
.overview dt{color:var(--muted);font-size:.85rem;padding-top:.1rem}
.overview dd{margin:0;overflow-wrap:anywhere}
.overview ul{list-style:none;margin:0;padding:0;display:grid;gap:.15rem}
.note+.overview{margin-top:1.3rem}
.account{margin-top:1.6rem}
.account>summary{cursor:pointer;font-weight:600;padding:.9rem 0;color:var(--muted)}

.langs{display:flex;height:.8rem;border-radius:99px;overflow:hidden;gap:2px;margin:1.6rem 0 .75rem;background:var(--track)}
.langs span{min-width:3px;flex-basis:0}
${fills.map((fill, position) => `.fill${position}{background:${fill}}`).join('')}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.2rem;margin:0;padding:0;list-style:none;font-size:.86rem}
.legend li{min-width:0;overflow-wrap:anywhere}
.legend i{display:inline-block;width:.62rem;height:.62rem;border-radius:3px;margin-right:.45rem}

.indexes{display:grid;grid-template-columns:repeat(auto-fill,minmax(17.5rem,1fr));gap:.8rem;margin:0;padding:0;list-style:none}
.index{border:1px solid var(--line);border-radius:10px;padding:.8rem .95rem;background:var(--sunken);min-width:0}
.index header{display:flex;justify-content:space-between;align-items:center;gap:.6rem}
.index b{overflow-wrap:anywhere}
.index p{margin:.3rem 0 0;font-size:.9rem;overflow-wrap:anywhere}
.index ul{margin:.25rem 0 0;padding:0;list-style:none;font-size:.84rem;color:var(--muted);overflow-wrap:anywhere}
.index small{display:block;margin-top:.3rem;color:var(--muted);overflow-wrap:anywhere}
.index.stale{border-color:color-mix(in srgb,var(--warn) 45%,var(--line));background:var(--surface)}
.index.stale.low{border-color:color-mix(in srgb,var(--bad) 45%,var(--line))}

.rows{list-style:none;margin:0;padding:0}
.rows>li{padding:.6rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.rows>li:first-child{border-top:0;padding-top:0}.rows>li:last-child{padding-bottom:0}
.rows ul{margin:.35rem 0 0;padding-left:1.1rem;font-size:.88rem;list-style:disc}.rows ul li::marker{color:var(--muted)}
.risk{display:grid;grid-template-columns:4.6rem minmax(0,1fr);gap:.15rem 1rem}
.risk .pill{justify-self:start;align-self:start}
.plan{counter-reset:step;list-style:none;margin:0;padding:0}
.plan li{counter-increment:step;display:grid;grid-template-columns:1.9rem 7rem minmax(0,3fr) minmax(0,2fr);gap:.1rem .8rem;align-items:baseline;padding:.42rem 0}
.plan li::before{content:counter(step);display:grid;place-items:center;width:1.6rem;height:1.6rem;border-radius:50%;background:var(--calm-ground);color:var(--calm);font-size:.8rem;font-weight:600}
.plan small{color:var(--muted);overflow-wrap:anywhere}
.mark{display:inline-grid;place-items:center;width:1.5rem;height:1.5rem;border-radius:50%;font-weight:700;font-size:.85rem;margin-right:.55rem}

.meter{display:grid;grid-template-columns:minmax(6rem,15rem) minmax(3rem,1fr) auto;gap:.1rem .9rem;align-items:center;padding:.22rem 0;font-size:.88rem}
.meter .name{overflow-wrap:anywhere;min-width:0}
.meter .track{height:.55rem;border-radius:99px;background:var(--track);overflow:hidden}
.meter .track i{display:block;height:100%;min-width:2px;border-radius:99px;background:var(--accent)}
.meter .track i.hit{background:var(--good)}.meter .track i.none{background:var(--muted)}
.meter .num{min-width:2.5rem;text-align:right}.timings .num{min-width:7rem}
.meters{list-style:none;margin:0;padding:0}

.scroll{overflow-x:auto;margin:0 -.25rem;padding:0 .25rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{text-align:left;color:var(--muted);font-weight:600;font-size:.78rem;border-bottom:1px solid var(--line);padding:.3rem .9rem .45rem 0;white-space:nowrap}
td{border-bottom:1px solid var(--line);padding:.5rem .9rem .5rem 0;vertical-align:top;overflow-wrap:break-word;min-width:4.5rem}td code{overflow-wrap:break-word}
tbody tr:last-child td{border-bottom:0}

details>summary{cursor:pointer;list-style:none}
details>summary::-webkit-details-marker{display:none}
details>summary::before{content:"";flex:none;width:.42rem;height:.42rem;border:solid var(--muted);border-width:0 1.6px 1.6px 0;transform:rotate(-45deg);margin:0 .35rem 0 .15rem;transition:transform .12s}
details[open]>summary::before{transform:rotate(45deg)}
.probe{border:1px solid var(--line);border-radius:10px;margin:.5rem 0;background:var(--surface)}
.probe>summary{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .7rem;padding:.6rem .85rem;border-radius:10px}
.probe>summary:hover{background:var(--sunken)}
.probe>summary .paths{color:var(--muted);font-size:.84rem;flex:1 1 8rem;min-width:0;overflow-wrap:anywhere}
.probe>div{padding:.2rem 1rem 1rem;border-top:1px solid var(--line)}
.more{margin-top:1rem}.more>summary{display:flex;align-items:center;color:var(--muted);font-size:.88rem;padding:.3rem 0}
.path{margin:1rem 0 0;font-size:.84rem;color:var(--muted);font-weight:600}
.kv{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.3rem 1.1rem;margin:.75rem 0;font-size:.88rem}
.kv dt{color:var(--muted)}.kv dd{margin:0;overflow-wrap:anywhere}
.kv dd ul{margin:0;padding-left:1.1rem}
footer{color:var(--muted);font-size:.86rem;padding:.5rem 0;overflow-wrap:anywhere}
@media (max-width:640px){.page{padding:0 .85rem 3rem}.masthead{padding-top:1.6rem}.card{padding:1.1rem 1rem;border-radius:12px}.plan li{grid-template-columns:1.9rem minmax(0,1fr)}.plan li>:not(b){grid-column:2}.risk{grid-template-columns:minmax(0,1fr)}.meter{grid-template-columns:minmax(0,1fr) auto}.meter .track{grid-column:1/-1;grid-row:2}.kv{grid-template-columns:minmax(0,1fr)}.kv dd{margin-bottom:.35rem}.overview>div{grid-template-columns:minmax(0,1fr)}}
@media (prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
@media print{.toc,.skip{display:none}body{background:#fff}.card{break-inside:avoid-page;border-color:#ccc}.layout{display:block}details::details-content{content-visibility:visible;block-size:auto}pre{max-height:none;white-space:pre-wrap}}
`;
