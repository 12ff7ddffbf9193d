/** `export default …` in all its forms. What has no name of its own is the symbol `default`. */

import {
  pushNamed,
  pushRecord,
  readClassDeclaration,
  readFunction,
  readTypeDeclaration,
  type Setting,
} from './declarations.ts';
import { enterLast } from './enter-last.ts';
import { readClass } from './members.ts';
import { code } from './node-codes.ts';
import { pushExport, type Reader } from './reader.ts';
import { observeFunctionValue } from './signature.ts';

/** The cursor is on the export statement, and stays there; `defaultAt` is where the word is. */
export function readDefault(reader: Reader, statement: Setting, defaultAt: number): void {
  const { cursor, text } = reader;
  const setting: Setting = { ...statement, defaultAt };
  // In a module that is only declared here, it is that module's default, not this file's.
  const isOwn = statement.visibility === 'own';
  const before = reader.symbols.length;
  reader.codeRanges.push(setting.start, setting.end);
  const kind = enterLast(reader);
  const start = kind === undefined ? setting.start : cursor.startIndex;
  const end = kind === undefined ? setting.end : cursor.endIndex;
  let localName: string | null = null;
  switch (kind) {
    case code.function:
      readFunction(reader, setting);
      break;
    case code.class:
      readClassDeclaration(reader, setting);
      break;
    case code.interface:
      readTypeDeclaration(reader, setting, 'interface', start);
      break;
    case code.functionValue:
      reader.seen.add(start);
      pushNamed(reader, setting, 'function', -1, -1);
      pushRecord(reader, setting, ['default'], observeFunctionValue(reader, setting.start, setting.end));
      break;
    case code.classValue: {
      reader.seen.add(start);
      const symbol = pushNamed(reader, setting, 'class', -1, -1);
      if (symbol !== undefined) pushRecord(reader, setting, ['default'], readClass(reader, symbol, setting.start));
      break;
    }
    case code.identifier:
      localName = text.slice(start, end);
      if (isOwn) reader.exportedLocals.add(localName);
      pushRecord(reader, setting, [], { pieces: ['export default ', localName], inferred: false });
      break;
    default:
      pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: true });
  }
  if (kind !== undefined) cursor.gotoParent();
  const declared = reader.symbols[before];
  if (declared !== undefined && declared.nameStart !== defaultAt) localName = declared.name;
  if (isOwn) pushExport(reader, 'default', localName, declared?.kind === 'interface');
}
