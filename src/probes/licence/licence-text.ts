/**
 * Which licence a text is, by sentences that only it has; which one a name means. SPDX identifiers.
 * Promise: a text that could be two licences, or holds much besides the licence, is not told as one.
 */

export type KnownText = {
  readonly spdx: string;
  /** The first line, from 1, that holds `shows`. */
  readonly line: number;
  /** Words of the text that the line holds. */
  readonly shows: string;
  /** The file holds little besides the licence. */
  readonly alone: boolean;
};

type Signature = {
  readonly spdx: string;
  /** Words as they stand after `plain`: all of them occur. */
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  /** The first of `has` is a title: it stands near the top. */
  readonly titled?: true;
  /** One of these stands in one line of the text, in any case. */
  readonly shows: readonly string[];
  /** Letters of the plain text; without it length says nothing. */
  readonly length?: number;
};

const mitGrant =
  'permission is hereby granted free of charge to any person obtaining a copy of this software and associated documentation files';
const mitNotice = 'the above copyright notice and this permission notice shall be included in all copies';
const bsd = 'redistribution and use in source and binary forms with or without modification are permitted';
const endorse = 'to endorse or promote products derived from this software';
const advertising = 'all advertising materials mentioning features';
const isc = ' distribute this software for any purpose with or without fee is hereby granted';
const iscNotice = 'provided that the above copyright notice';

const signatures: readonly Signature[] = [
  {
    spdx: 'MIT',
    has: [mitGrant, 'this permission notice'],
    lacks: ['except as contained in this notice'],
    shows: ['Permission is hereby granted', 'MIT License', 'obtaining a copy'],
    length: 1_050,
  },
  {
    spdx: 'MIT-0',
    has: [mitGrant],
    lacks: [mitNotice, 'this permission notice'],
    shows: ['Permission is hereby granted', 'MIT No Attribution', 'obtaining a copy'],
    length: 900,
  },
  {
    spdx: 'X11',
    has: [mitGrant, mitNotice, 'except as contained in this notice'],
    shows: ['Permission is hereby granted', 'obtaining a copy'],
    length: 1_300,
  },
  {
    spdx: 'BSD-2-Clause',
    has: [bsd],
    lacks: [endorse, advertising, 'neither the name'],
    shows: ['Redistribution and use'],
    length: 1_300,
  },
  {
    spdx: 'BSD-3-Clause',
    has: [bsd, endorse],
    lacks: [advertising, 'no express or implied licenses to any party'],
    shows: ['Redistribution and use'],
    length: 1_500,
  },
  {
    spdx: 'BSD-3-Clause-Clear',
    has: [bsd, endorse, 'no express or implied licenses to any party'],
    shows: ['Redistribution and use'],
    length: 1_600,
  },
  { spdx: 'BSD-4-Clause', has: [bsd, advertising], shows: ['Redistribution and use'], length: 1_700 },
  {
    spdx: 'ISC',
    has: [isc, iscNotice],
    shows: ['Permission to use', 'ISC License', 'with or without fee'],
    length: 800,
  },
  { spdx: '0BSD', has: [isc], lacks: [iscNotice], shows: ['Permission to use', 'with or without fee'], length: 700 },
  {
    spdx: 'Zlib',
    has: ['altered source versions must be plainly marked as such', 'this notice may not be removed or altered'],
    shows: ['Altered source versions', 'plainly marked'],
    length: 900,
  },
  {
    spdx: 'Unlicense',
    has: ['this is free and unencumbered software released into the public domain'],
    shows: ['free and unencumbered software', 'unencumbered'],
    length: 1_200,
  },
  {
    spdx: 'Apache-2.0',
    has: ['apache license version 2 0 january 2004', 'terms and conditions for use reproduction and distribution'],
    titled: true,
    shows: ['Apache License'],
  },
  {
    spdx: 'Apache-2.0',
    has: [
      'licensed under the apache license version 2 0',
      'you may not use this file except in compliance with the license',
    ],
    lacks: ['terms and conditions for use reproduction and distribution'],
    shows: ['Apache License'],
    length: 600,
  },
  { spdx: 'AGPL-3.0', has: ['gnu affero general public license version 3'], titled: true, shows: ['Affero General'] },
  { spdx: 'LGPL-3.0', has: ['gnu lesser general public license version 3'], titled: true, shows: ['Lesser General'] },
  { spdx: 'LGPL-2.1', has: ['gnu lesser general public license version 2 1'], titled: true, shows: ['Lesser General'] },
  { spdx: 'GPL-3.0', has: ['gnu general public license version 3'], titled: true, shows: ['General Public License'] },
  { spdx: 'GPL-2.0', has: ['gnu general public license version 2'], titled: true, shows: ['General Public License'] },
  { spdx: 'MPL-2.0', has: ['mozilla public license version 2 0'], titled: true, shows: ['Mozilla Public License'] },
  { spdx: 'EPL-2.0', has: ['eclipse public license v 2 0'], titled: true, shows: ['Eclipse Public License'] },
  { spdx: 'EPL-1.0', has: ['eclipse public license v 1 0'], titled: true, shows: ['Eclipse Public License'] },
  { spdx: 'EUPL-1.2', has: ['european union public licence v 1 2'], titled: true, shows: ['European Union Public'] },
  { spdx: 'BSL-1.0', has: ['boost software license version 1 0'], titled: true, shows: ['Boost Software License'] },
  { spdx: 'BUSL-1.1', has: ['business source license 1 1'], titled: true, shows: ['Business Source License'] },
  { spdx: 'Elastic-2.0', has: ['elastic license 2 0', 'acceptance'], titled: true, shows: ['Elastic License'] },
  { spdx: 'SSPL-1.0', has: ['server side public license version 1'], titled: true, shows: ['Server Side Public'] },
  { spdx: 'CC0-1.0', has: ['cc0 1 0 universal'], titled: true, shows: ['CC0 1.0'] },
  {
    spdx: 'CC-BY-SA-4.0',
    has: ['attribution sharealike 4 0 international'],
    titled: true,
    shows: ['ShareAlike 4.0'],
  },
  { spdx: 'CC-BY-4.0', has: ['attribution 4 0 international'], titled: true, shows: ['Attribution 4.0'] },
  { spdx: 'Artistic-2.0', has: ['the artistic license 2 0'], titled: true, shows: ['Artistic License'] },
  { spdx: 'WTFPL', has: ['do what the fuck you want to public license'], titled: true, shows: ['WHAT THE FUCK'] },
];

/** A title stands within so many letters of the top. */
const topLetters = 500;
/** So much longer than the licence, and the file says something besides. */
const roomFor = 2;

export function recogniseLicence(text: string): KnownText | undefined {
  const words = plain(text);
  const found = signatures.filter((one) => isText(words, one));
  const [first] = found;
  if (first === undefined || new Set(found.map(({ spdx }) => spdx)).size > 1) return undefined;
  const place = placeOf(text, first.shows);
  if (place === undefined) return undefined;
  return { spdx: first.spdx, ...place, alone: first.length === undefined || words.length < first.length * roomFor };
}

function isText(words: string, { has, lacks = [], titled }: Signature): boolean {
  const [title = ''] = has;
  const at = words.indexOf(title);
  if (at < 0 || (titled === true && at > topLetters)) return false;
  return has.every((one) => words.includes(one)) && !lacks.some((one) => words.includes(one));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function placeOf(
  text: string,
  tokens: readonly string[],
): { readonly line: number; readonly shows: string } | undefined {
  const lines = text.toLowerCase().split('\n');
  for (const shows of tokens) {
    const index = lines.findIndex((line) => line.includes(shows.toLowerCase()));
    if (index >= 0) return { line: index + 1, shows };
  }
  return undefined;
}

/** How people write them. The whole name has to fit; a family without its version is none. */
const names: readonly (readonly [RegExp, string])[] = [
  [/^(?:the )?(?:mit|expat)(?: licen[cs]e)?(?: \(?mit\)?)?$/, 'MIT'],
  [/^(?:the )?apache(?:[ -]software)?(?:[ -]licen[cs]e)?,? ?-?(?:version |v)?2(?:\.0)?$/, 'Apache-2.0'],
  [
    /^(?:the )?(?:new bsd|(?:bsd )?3[- ]clause(?: bsd)?|bsd[- ]3[- ]clause|modified bsd)(?: licen[cs]e)?$/,
    'BSD-3-Clause',
  ],
  [
    /^(?:the )?(?:simplified bsd|(?:bsd )?2[- ]clause(?: bsd)?|bsd[- ]2[- ]clause|freebsd)(?: licen[cs]e)?$/,
    'BSD-2-Clause',
  ],
  [/^(?:the )?isc(?: licen[cs]e)?(?: \(iscl\))?$/, 'ISC'],
  [/^(?:the )?(?:mozilla public licen[cs]e|mpl),?[ -]?(?:version |v)?2\.0(?: \(mpl 2\.0\))?$/, 'MPL-2.0'],
  [/^(?:the )?(?:eclipse public licen[cs]e|epl)(?: -)?,?[ -]?(?:version |v\.? ?)?2\.0$/, 'EPL-2.0'],
  [/^(?:the )?(?:gnu )?(?:general public licen[cs]e|gpl),?[ -]?(?:version |v)?3(?:\.0)?(?: \(gplv3\))?$/, 'GPL-3.0'],
  [/^(?:the )?(?:gnu )?(?:general public licen[cs]e|gpl),?[ -]?(?:version |v)?2(?:\.0)?(?: \(gplv2\))?$/, 'GPL-2.0'],
  [/^(?:the )?(?:gnu )?(?:affero general public licen[cs]e|agpl),?[ -]?(?:version |v)?3(?:\.0)?$/, 'AGPL-3.0'],
  [/^(?:the )?(?:gnu )?(?:lesser general public licen[cs]e|lgpl),?[ -]?(?:version |v)?3(?:\.0)?$/, 'LGPL-3.0'],
  [/^(?:the )?(?:gnu )?(?:lesser general public licen[cs]e|lgpl),?[ -]?(?:version |v)?2\.1$/, 'LGPL-2.1'],
  [/^(?:the )?unlicense(?: \(unlicense\))?$/, 'Unlicense'],
  [/^(?:the )?boost software licen[cs]e 1\.0(?: \(bsl-1\.0\))?$/, 'BSL-1.0'],
  [/^cc0(?:[ -]1\.0)?(?: universal)?$/, 'CC0-1.0'],
];

/** As SPDX lists them, beyond what `signatures` knows. */
const identifiers: ReadonlyMap<string, string> = new Map(
  [
    ...signatures.map(({ spdx }) => spdx),
    ...['AGPL-3.0', 'GPL-2.0', 'GPL-3.0', 'LGPL-2.1', 'LGPL-3.0'].flatMap((one) => [`${one}-only`, `${one}-or-later`]),
    ...'LGPL-2.0 LGPL-2.0-only LGPL-2.0-or-later MPL-1.1 CDDL-1.0 PostgreSQL Python-2.0 PSF-2.0 BlueOak-1.0.0 NCSA Ruby'.split(
      ' ',
    ),
    ...'AFL-3.0 OFL-1.1 UPL-1.0 MS-PL MulanPSL-2.0 Artistic-1.0 Apache-1.1 GPL-1.0-or-later CC-BY-3.0 CC-BY-NC-4.0'.split(
      ' ',
    ),
  ].map((one) => [one.toLowerCase(), one]),
);

/** What a manifest or a heading says, as an SPDX expression; undefined where it names no licence that we know. */
export function readExpression(written: string): string | undefined {
  const text = written.trim().replace(/\s+/g, ' ');
  const whole = readName(text);
  if (whole !== undefined) return whole;
  // crates.io once wrote `MIT/Apache-2.0` for a choice.
  const slashed = text.includes('(') ? text : text.replace(/ ?\/ ?/g, ' OR ');
  const parts = slashed.replace(/^\((.*)\)$/, '$1').split(/ (OR|AND) /i);
  if (parts.length < 3) return undefined;
  const read = parts.map((part, at) => (at % 2 === 1 ? part.toUpperCase() : readName(part)));
  return read.includes(undefined) ? undefined : read.join(' ');
}

function readName(text: string): string | undefined {
  const known = identifiers.get(text.toLowerCase());
  if (known !== undefined) return known;
  const [id = '', exception = ''] = text.split(/ WITH /i);
  if (/^[\w.-]{1,60}$/.test(exception)) {
    const base = identifiers.get(id.toLowerCase());
    return base === undefined ? undefined : `${base} WITH ${exception}`;
  }
  return names.find(([pattern]) => pattern.test(text.toLowerCase()))?.[1];
}
