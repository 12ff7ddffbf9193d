/**
 * The protocol's frames over two streams. L6: what is no message is answered as such and never ends the session or puts it out of step: a
 * frame without a length is passed over, one that is too long is not kept, and what is in a frame is looked at before anything acts on it.
 * L8: everything that leaves passes the last door.
 */

import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  ErrorCodes,
  type Message,
} from 'vscode-languageserver';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';

const maxBodyBytes = 64 * 1024 ** 2;
const maxHeadBytes = 8 * 1024;

export type Complaint = {
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
};

export class FrameReader extends AbstractMessageReader {
  readonly #input: Readable;
  /** What is wrong with a message at this point of the session; undefined where nothing is. */
  readonly #judge: (message: Message) => Complaint | 'drop' | undefined;
  readonly #answer: (complaint: Complaint) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Of the body that comes next; `skip` where it is too long to be kept. */
  #body: { left: number; readonly skip: boolean } | undefined;

  constructor(
    input: Readable,
    judge: (message: Message) => Complaint | 'drop' | undefined,
    answer: (complaint: Complaint) => void,
  ) {
    super();
    this.#input = input;
    this.#judge = judge;
    this.#answer = answer;
  }

  listen(callback: DataCallback): Disposable {
    const take = (chunk: Buffer | string) => {
      const bytes = Buffer.from(chunk as string);
      if (this.#body?.skip === true && bytes.length <= this.#body.left) {
        this.#body.left -= bytes.length;
        return;
      }
      this.#chunks.push(bytes);
      this.#size += bytes.length;
      while (this.#step(callback));
    };
    const end = () => this.fireClose();
    this.#input.on('data', take);
    this.#input.once('end', end);
    this.#input.once('close', end);
    return { dispose: () => void this.#input.off('data', take) };
  }

  /** One head or one body, where it is whole. */
  #step(callback: DataCallback): boolean {
    if (this.#body === undefined) return this.#readHead();
    const { left, skip } = this.#body;
    if (skip) {
      if (this.#size === 0) return false;
      const dropped = Math.min(left, this.#size);
      this.#drop(dropped);
      this.#body = left === dropped ? undefined : { left: left - dropped, skip };
      return true;
    }
    if (this.#size < left) return false;
    const bytes = this.#whole().subarray(0, left);
    this.#drop(left);
    this.#body = undefined;
    this.#deliver(bytes, callback);
    return true;
  }

  #readHead(): boolean {
    const bytes = this.#whole();
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      // No head is so long: only its end may be the beginning of one.
      if (bytes.length > maxHeadBytes) this.#drop(bytes.length - maxHeadBytes);
      return false;
    }
    // The last one that is said: what stands before it is what is left of a frame that was none.
    const head = bytes.subarray(0, end).toString('latin1');
    this.#drop(end + 4);
    const [length] = [...head.matchAll(/content-length:[ \t]*(\d{1,12})[ \t]*(?=\r\n|$)/gi)]
      .map((one) => Number(one[1]))
      .slice(-1);
    if (length === undefined) {
      this.#answer(complain(ErrorCodes.ParseError, 'a head has to say Content-Length'));
      return true;
    }
    if (length > maxBodyBytes)
      this.#answer(complain(ErrorCodes.InvalidRequest, `a message is at most ${maxBodyBytes} bytes long`));
    this.#body = { left: length, skip: length > maxBodyBytes };
    return true;
  }

  #deliver(bytes: Buffer, callback: DataCallback): void {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      this.#answer(complain(ErrorCodes.ParseError, 'a message is JSON'));
      return;
    }
    if (!isMessage(value)) {
      const id = idOf(value);
      this.#answer(
        complain(ErrorCodes.InvalidRequest, 'a message is a request, a notification or a response of JSON-RPC 2.0', id),
      );
      return;
    }
    const wrong = this.#judge(value);
    if (wrong === 'drop') return;
    if (wrong !== undefined) {
      this.#answer(wrong);
      return;
    }
    try {
      callback(value);
    } catch {
      // The library believes what its own notifications carry.
      const id = idOf(value);
      if (id !== null) this.#answer(complain(ErrorCodes.InvalidParams, 'this message could not be acted on', id));
    }
  }

  #whole(): Buffer {
    const [only] = this.#chunks;
    if (this.#chunks.length === 1 && only !== undefined) return only;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }

  #drop(count: number): void {
    const rest = this.#whole().subarray(count);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, method, id, params } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0') return false;
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  if (method === undefined) return isId && id !== undefined && ('result' in value || 'error' in value);
  return typeof method === 'string' && isId && (params === undefined || params === null || typeof params === 'object');
}

function idOf(value: unknown): string | number | null {
  const id = (value as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function complain(code: number, message: string, id: string | number | null = null): Complaint {
  return { id, error: { code, message } };
}

export class FrameWriter extends AbstractMessageWriter {
  readonly #output: Writable;
  #isOpen = true;

  constructor(output: Writable) {
    super();
    this.#output = output;
    output.once('error', (error) => {
      this.#isOpen = false;
      this.fireError(error);
    });
    output.once('close', () => {
      this.#isOpen = false;
      this.fireClose();
    });
  }

  async write(message: Message): Promise<void> {
    this.send(message);
  }

  send(message: object): void {
    if (!this.#isOpen) return;
    const body = Buffer.from(visibleJson(message));
    this.#output.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  end(): void {}
}
