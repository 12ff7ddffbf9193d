/** Every form in which CommonJS exports and takes something, and in which comments of scripts name something. `use.js` takes from all others. */

export const commonjsForms: Readonly<Record<string, string>> = {
  'package.json': '{"name":"scripts","version":"1.0.0"}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      allowJs: true,
      strict: false,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2022'],
      types: [],
      noEmit: true,
    },
    include: ['src'],
  }),
  'src/named.js': `const one = 1
exports.two = 2
exports.one = one
exports.fn = function () { return exports.two }
module.exports.three = 3
function make() { return one }
exports.make = make
exports.two = 22
exports.renamed = make
`,
  'src/whole.js': `const a = 1
const b = () => a
function c() {}
module.exports = { a, b, c, d: 4, e: b }
`,
  'src/shorthands.js': `const left = () => 1, right = () => 2
module.exports = { left, right }
`,
  'src/single.js': `class Single { constructor(v) { this.v = v; this.w = v } get() { return this.v } set(v) { this.v = v } }
module.exports = Single
`,
  'src/derived.js': `const Base = require('./single')
class Derived extends Base { constructor() { super(1); this.v = 2; this.own = 3 } get() { return this.own } }
module.exports = Derived
`,
  'src/mixed.js': `exports = module.exports = {}
const re = exports.re = []
exports.tail = 't'
let r = exports.count = 0
exports.regexp = re
`,
  'src/unnamed.js': `exports.Unnamed = class { run() {} }
exports.Named = class Inner { run() { return Inner } }
`,
  'src/wrapped.js': `(function (exports) { exports.inner = 1; exports.inner })({})
`,
  'src/use.js': `const named = require('./named')
const { two, one: uno, make } = require('./named')
const { a, b, d } = require('./whole')
const whole = require('./whole')
const { left, right: rechts } = require('./shorthands')
const Only = require('./single')
const { re, tail, count: n } = require('./mixed')
const three = require('./named').three
const mixed = require('./mixed'), Derived = require('./derived')
named.two; named.fn(); two; uno; make(); a; b(); d; whole.a; whole.e; three; left(); rechts(); mixed.tail
const s = new Only(1); s.v; s.w; s.get(); re[0]; tail; n; new Derived().own
module.exports = { two, uno, named, Only, re, more: require('./mixed') }
require('./mixed').tail
require('./gone').x; require('./named').nothing
const { Unnamed, Named } = require('./unnamed')
new Unnamed().run(); new Named().run()
named.renamed(); const { renamed } = require('./named'); renamed()
`,
  'src/comments.js': `/** @typedef {{ x: number, y?: Foo }} Point */
/** @callback Handler
 * @param {Point} point
 * @returns {Foo} */
/** @import { Thing } from './types' */
export class Foo {
  /** @type {Point} */
  at;
  /** @param {Point} p */
  move(p) { return p.x } }
/** @type {import('./types').Thing | Handler} */
export const h = null;
/** @template T @param {T} t @param {keyof Foo} k */
export function id(t, k) { const w = /** @type {Foo} */ (t); return w }
/** @param {Object} opts @param {string} opts.name @param {Foo} opts.foo */
export function opt(opts) { return opts.name }
/** @satisfies {Point} */
export const s = { x: 1 };
/** @type {Thing} */
export let a, b;
`,
  'src/types.ts': `export interface Thing { a: number }
`,
  'src/merged.js': `class Target {
  /** @typedef {Object} Target~Options
   * @property {number} [size] */
  constructor(options) { this.options = options }
}
Target.LIMIT = 4
export { Target };
`,
  'src/prototypes.js': `function View(name) { this.name = name; this.render(); const self = this; self.name }
View.prototype.lookup = function lookup(path) { const inner = () => this.name + path; return inner() + (function () { return this.name })() };
View.prototype.render = function () { return this.lookup(this.name) + View.prototype.lookup.length };
View.prototype.lookup = View.prototype.render; View.lookup = 1; View.lookup; View.prototype['quoted'] = 1; View['prototype'].other = 2;
const Page = function () { this.at = 1 }; Page.prototype = { lookup() { return this.other + this.at }, other: 1, get: function () { return this.lookup() }, arrow: () => this.other };
function plain() { this.name = 1 } class Late { constructor() { this.own = 1 } } Late.prototype.late = function () { return this.own + this.late }; new Late().late();
Nowhere.prototype.a = function () { return this.a }; View.prototype.constructor = View; function never() { View.prototype.hidden = function () { return this.hidden } } prototype.a = 1; this.top = 1;
export { View, Page };
`,
  'src/merging.js': `import { Target } from './merged.js'
export class More extends Target { limit() { return Target.LIMIT } make() { return new Target() } }
`,
};
