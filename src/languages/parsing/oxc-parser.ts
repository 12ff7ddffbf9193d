/**
 * The parser of the oxc project, for TypeScript and JavaScript as the compilers accept them today: text → its syntax tree as plain
 * data, or nothing if the text is no program to it.
 *
 * It is the package's WebAssembly build, run in this thread (decision 0032). Whatever hostile text makes it do (a panic, an access out of
 * bounds, a stack that is too deep, too much memory) ends in an exception that is met here, costs that one file, and the instance,
 * whose memory may be spoilt. It can touch neither files nor the network nor the clock: nothing of the kind is handed to it.
 *
 * The module speaks Node-API, Node's interface for native code. Only the part of it that one call of `parseSync` uses is here.
 */

import { assert } from '../../kernel/base/assert.ts';
import { readCarried } from '../../kernel/base/package-files.ts';

export const oxcWasm = 'oxc-parser/parser.wasm32-wasip1.wasm';

/** A node of the tree (ESTree with TypeScript's additions): `type`, `start`, `end`, and parts by their names. Offsets count UTF-16 units. */
export type OxcNode = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
};

/** How the text is to be read: which forms it may have, and whether as a module, a script, or what it seems to be. */
export type OxcReading = {
  readonly lang: 'js' | 'jsx' | 'ts' | 'tsx' | 'dts';
  readonly sourceType: 'module' | 'script' | 'commonjs' | 'unambiguous';
};

export type OxcParser = (text: string, reading: OxcReading) => OxcNode | undefined;

/** The part of the engine's own WebAssembly that is used: the types of Node do not name it. */
type Wasm = {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly module: string; readonly name: string; readonly kind: string }[];
  };
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly RuntimeError: new (message: string) => Error;
};
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;

/** Pages of 64 KiB. Text of the largest file that is parsed needs a fraction of it. */
const mostPages = 16_384;
/** An instance that grew beyond this is not kept: what it took it never gives back. */
const keptBytes = 256 << 20;

let compiled: object | undefined;

/** A parser of its own, with at most so much memory. Most callers share one: `parseWithOxc`. */
export function createOxcParser(maximumPages = mostPages): OxcParser {
  let instance: ReturnType<typeof instantiate> | undefined;
  return (text, reading) => {
    instance ??= instantiate(maximumPages);
    try {
      const program = instance.parse(text, reading);
      if (instance.bytes() > keptBytes) instance = undefined;
      return program;
    } catch (error) {
      instance = undefined;
      if (error instanceof wasm.RuntimeError || error instanceof RangeError) return undefined;
      throw error;
    }
  };
}

export let parseWithOxc: OxcParser = createOxcParser();

/** Its memory goes with the next collection; the next text is read by a new instance of what is compiled already. */
export function forgetOxcInstance(): void {
  parseWithOxc = createOxcParser();
}

type Callback = { readonly self: unknown; readonly args: readonly unknown[]; readonly data: number };
type Wrapped = { readonly native: number; readonly finish: number; readonly hint: number };
type Fn = (...args: number[]) => number;

/** What the module declares: most of it is a stack, of which little is ever touched. */
const fewestPages = 980;
const status = { ok: 0 } as const;
const typeNumbers: Readonly<Record<string, number>> = {
  undefined: 0,
  boolean: 2,
  number: 3,
  string: 4,
  symbol: 5,
  object: 6,
  function: 7,
  bigint: 9,
};
/** What it gets for the global object: the one function that its registration looks up there. */
const handedOver: object = { Reflect: { getOwnPropertyDescriptor: Reflect.getOwnPropertyDescriptor } };
/** `napi_static`: a property of the class itself. */
const staticProperty = 1024;

function instantiate(maximumPages: number) {
  compiled ??= new wasm.Module(readCarried(oxcWasm));
  const memory = new wasm.Memory({ initial: fewestPages, maximum: maximumPages });
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** What the module knows by number: values of the call under way, and those that it asked to keep. */
  const handles: unknown[] = [undefined];
  const references: unknown[] = [undefined];
  const wrapped = new Map<unknown, Wrapped>();
  let pending: { readonly thrown: unknown } | undefined;
  let view = new DataView(memory.buffer);

  const put = (at: number, value: number): void => {
    if (at === 0) return;
    if (view.buffer !== memory.buffer) view = new DataView(memory.buffer);
    view.setUint32(at, value, true);
  };
  const take = (at: number): number => {
    if (view.buffer !== memory.buffer) view = new DataView(memory.buffer);
    return view.getUint32(at, true);
  };
  const hold = (value: unknown): number => handles.push(value) - 1;
  const give = (at: number, value: unknown): number => {
    put(at, hold(value));
    return status.ok;
  };
  const giveNumber = (at: number, value: number): number => {
    put(at, value);
    return status.ok;
  };
  const giveFlag = (at: number, value: boolean): number => {
    new Uint8Array(memory.buffer)[at] = value ? 1 : 0;
    return status.ok;
  };
  const valueAt = (handle: number): unknown => handles[handle];
  const objectOf = (handle: number): Record<string, unknown> => Object(handles[handle]) as Record<string, unknown>;
  const textAt = (at: number, length: number): string => {
    const bytes = new Uint8Array(memory.buffer);
    const end = length >>> 0 === 0xffff_ffff ? bytes.indexOf(0, at) : at + length;
    return decoder.decode(bytes.subarray(at, end));
  };
  const wordAt = (at: number): string => textAt(at, 0xffff_ffff);

  /** Calls back into the module, as a function of its own would be called. */
  const invoke = (callback: number, data: number, self: unknown, args: readonly unknown[]): unknown => {
    const base = handles.length;
    const info: Callback = { self, args, data };
    const answer = valueAt((table.get(callback) as Fn)(1, hold(info)));
    handles.length = base;
    if (pending === undefined) return answer;
    const { thrown } = pending;
    pending = undefined;
    throw thrown;
  };
  const functionOf = (callback: number, data: number) =>
    function call(this: unknown, ...args: unknown[]): unknown {
      return invoke(callback, data, this, args);
    };

  function defineProperties(onto: object, count: number, from: number, statics: boolean | undefined): void {
    for (let at = from; at < from + count * 32; at += 32) {
      if (statics !== undefined && ((take(at + 24) & staticProperty) !== 0) !== statics) continue;
      const name = take(at) === 0 ? String(valueAt(take(at + 4))) : wordAt(take(at));
      const [method, getter, data] = [take(at + 8), take(at + 12), take(at + 28)];
      if (getter !== 0) Object.defineProperty(onto, name, { configurable: true, get: functionOf(getter, data) });
      else {
        const value = method === 0 ? valueAt(take(at + 20)) : functionOf(method, data);
        Object.defineProperty(onto, name, { configurable: true, writable: true, value });
      }
    }
  }

  const api: Readonly<Record<string, Fn>> = {
    napi_get_undefined: (_env, at = 0) => give(at, undefined),
    napi_get_null: (_env, at = 0) => give(at, null),
    napi_get_global: (_env, at = 0) => give(at, handedOver),
    napi_get_boolean: (_env, value, at = 0) => give(at, value !== 0),
    napi_create_object: (_env, at = 0) => give(at, {}),
    napi_create_array_with_length: (_env, length, at = 0) => give(at, new Array(length)),
    napi_create_uint32: (_env, value = 0, at = 0) => give(at, value >>> 0),
    napi_create_string_utf8: (_env, from = 0, length = 0, at = 0) => give(at, textAt(from, length)),
    napi_create_error: (_env, _code, message = 0, at = 0) => give(at, new Error(String(valueAt(message)))),
    napi_create_function: (_env, _name, _length, callback = 0, data = 0, at = 0) =>
      give(at, functionOf(callback, data)),
    napi_define_class(_env, _name, _length, build = 0, data = 0, count = 0, from = 0, at = 0) {
      const made = function made(this: unknown, ...args: unknown[]): unknown {
        return invoke(build, data, this, args);
      };
      defineProperties(made, count, from, true);
      defineProperties(made.prototype, count, from, false);
      return give(at, made);
    },
    napi_define_properties(_env, onto = 0, count = 0, from = 0) {
      defineProperties(objectOf(onto), count, from, undefined);
      return status.ok;
    },
    napi_new_instance(_env, build = 0, count = 0, from = 0, at = 0) {
      const args = Array.from({ length: count }, (_, index) => valueAt(take(from + index * 4)));
      return give(at, Reflect.construct(valueAt(build) as new () => object, args));
    },
    napi_call_function(_env, self = 0, called = 0, count = 0, from = 0, at = 0) {
      const args = Array.from({ length: count }, (_, index) => valueAt(take(from + index * 4)));
      return give(at, Reflect.apply(valueAt(called) as () => unknown, valueAt(self), args));
    },
    napi_strict_equals: (_env, one = 0, other = 0, at = 0) => giveFlag(at, valueAt(one) === valueAt(other)),
    napi_get_cb_info(_env, info = 0, count = 0, values = 0, self = 0, data = 0) {
      const call = valueAt(info) as Callback;
      const wanted = count === 0 ? 0 : take(count);
      for (let index = 0; values !== 0 && index < wanted; index += 1) put(values + index * 4, hold(call.args[index]));
      put(count, call.args.length);
      if (self !== 0) give(self, call.self);
      put(data, call.data);
      return status.ok;
    },
    napi_wrap(_env, object = 0, native = 0, finish = 0, hint = 0, reference = 0) {
      wrapped.set(valueAt(object), { native, finish, hint });
      if (reference !== 0) put(reference, references.push(valueAt(object)) - 1);
      return status.ok;
    },
    napi_unwrap: (_env, object, at = 0) => giveNumber(at, wrapped.get(valueAt(object ?? 0))?.native ?? 0),
    napi_create_reference: (_env, value = 0, _count, at = 0) => giveNumber(at, references.push(valueAt(value)) - 1),
    napi_get_reference_value: (_env, reference = 0, at = 0) => give(at, references[reference]),
    napi_delete_reference(_env, reference = 0) {
      references[reference] = undefined;
      return status.ok;
    },
    napi_reference_unref: (_env, _reference, at = 0) => giveNumber(at, 1),
    napi_typeof(_env, value = 0, at = 0) {
      const found = valueAt(value);
      return giveNumber(at, found === null ? 1 : (typeNumbers[typeof found] ?? 0));
    },
    // Own properties alone: nothing leads from a value to its class, and from there to code.
    napi_get_named_property: (_env, object = 0, name = 0, at = 0) =>
      give(at, Object.getOwnPropertyDescriptor(objectOf(object), wordAt(name))?.value),
    napi_set_named_property(_env, object = 0, name = 0, value = 0) {
      Object.defineProperty(objectOf(object), wordAt(name), {
        configurable: true,
        enumerable: true,
        writable: true,
        value: valueAt(value),
      });
      return status.ok;
    },
    napi_has_own_property: (_env, object = 0, name = 0, at = 0) =>
      giveFlag(at, Object.hasOwn(objectOf(object), String(valueAt(name)))),
    napi_set_element(_env, object = 0, index = 0, value = 0) {
      (valueAt(object) as unknown[])[index] = valueAt(value);
      return status.ok;
    },
    napi_get_value_bool: (_env, value = 0, at = 0) => giveFlag(at, valueAt(value) === true),
    napi_get_value_string_utf8(_env, value = 0, buffer = 0, size = 0, at = 0) {
      const text = String(valueAt(value));
      if (buffer === 0) return giveNumber(at, Buffer.byteLength(text));
      const { written } = encoder.encodeInto(text, new Uint8Array(memory.buffer, buffer, size - 1));
      new Uint8Array(memory.buffer)[buffer + written] = 0;
      return giveNumber(at, written);
    },
    napi_coerce_to_object: (_env, value = 0, at = 0) => give(at, objectOf(value)),
    napi_coerce_to_string: (_env, value = 0, at = 0) => give(at, String(valueAt(value))),
    napi_is_error: (_env, value = 0, at = 0) => giveFlag(at, valueAt(value) instanceof Error),
    napi_is_exception_pending: (_env, at = 0) => giveFlag(at, pending !== undefined),
    napi_get_and_clear_last_exception(_env, at = 0) {
      const thrown = pending?.thrown;
      pending = undefined;
      return give(at, thrown);
    },
    // For the asynchronous form of the call, which this program never makes.
    napi_create_threadsafe_function: (...args) => giveNumber(args[10] ?? 0, 1),
    napi_unref_threadsafe_function: () => status.ok,
    napi_throw(_env, value = 0) {
      pending = { thrown: valueAt(value) };
      return status.ok;
    },
    napi_throw_error(_env, _code, message = 0) {
      pending = { thrown: new Error(wordAt(message)) };
      return status.ok;
    },
  };
  const system: Readonly<Record<string, Fn>> = {
    random_get(at = 0, length = 0) {
      new Uint8Array(memory.buffer, at, length).fill(7);
      return 0;
    },
    environ_get: () => 0,
    environ_sizes_get(count = 0, size = 0) {
      put(count, 0);
      put(size, 0);
      return 0;
    },
    fd_write(_file, _from, _count, written = 0) {
      put(written, 0);
      return 8;
    },
    proc_exit() {
      throw new wasm.RuntimeError('the parser asked to end');
    },
  };

  const imports: Record<string, Record<string, unknown>> = { env: { memory } };
  for (const { module, name, kind } of wasm.Module.imports(compiled)) {
    if (kind !== 'function') continue;
    imports[module] ??= {};
    imports[module][name] = (module === 'env' ? api[name] : system[name]) ?? refuse(name);
  }
  const { exports } = new wasm.Instance(compiled, imports);
  const table = exports['__indirect_function_table'] as { get(index: number): unknown };
  const run = (name: string, ...args: number[]): number => (exports[name] as Fn)(...args);
  const own: Record<string, unknown> = {};
  run('_initialize');
  for (const name of Object.keys(exports)) if (name.startsWith('__napi_register__')) run(name);
  run('napi_register_wasm_v1', 1, hold(own));
  handles.length = 1;
  const parseSync = own['parseSync'] as (name: string, text: string, reading: OxcReading) => unknown;
  assert(typeof parseSync === 'function', 'the module offers parseSync');

  return { parse, bytes: () => memory.buffer.byteLength };

  function parse(text: string, reading: OxcReading): OxcNode | undefined {
    const result = parseSync('', text, reading) as { readonly program: string; readonly errors: readonly unknown[] };
    const accepted = result.errors.length === 0 ? result.program : undefined;
    for (const { native, finish, hint } of wrapped.values()) (table.get(finish) as Fn)(1, native, hint);
    wrapped.clear();
    handles.length = 1;
    if (accepted === undefined) return undefined;
    const { node } = JSON.parse(accepted) as { readonly node: OxcNode };
    assert(node.type === 'Program', 'the parser answers with a program');
    return node;
  }
}

function refuse(name: string): Fn {
  return () => {
    throw new wasm.RuntimeError(`the parser asked for ${name}`);
  };
}
