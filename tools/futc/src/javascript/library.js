// The program as a library: contexts, arrays and opaque values, as the guide's JavaScript API has them.

// Failing calls and wrong arguments.
export class FutharkError extends Error {
  constructor(message) {
    super(message);
    this.name = this.constructor.name;
  }
}

export class FutharkOutOfMemory extends FutharkError {}

const OUT_OF_MEMORY = 3;

// Numbers of 16 bits, which JavaScript does not have everywhere. To the nearest, to even where two are as near.
function halfOf(number) {
  const scratch = new DataView(new ArrayBuffer(8));
  scratch.setFloat64(0, number);
  const sign = scratch.getUint16(0) & 0x8000;
  const size = Math.abs(number);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  // The distance of neighbours, of those below 2^-14 that of all.
  const exponent = Math.max(Math.floor(Math.log2(size)) || 0, -14);
  const settled = size < 2 ** exponent && exponent > -14 ? exponent - 1 : exponent;
  const units = size / 2 ** (settled - 10);
  const below = Math.floor(units);
  const rest = units - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  // A carry goes on to the exponent by itself.
  return sign | (rounded + (settled + 14) * 1024);
}

function ofHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

const number = (array, read = Number, write = Number) => ({ array, read, write });
const whole = (array, convert) => ({ array, read: convert, write: (x) => convert(BigInt(x)) });
const PRIMS = {
  i8: number(Int8Array),
  i16: number(Int16Array),
  i32: number(Int32Array),
  i64: whole(BigInt64Array, (x) => BigInt.asIntN(64, x)),
  u8: number(Uint8Array),
  u16: number(Uint16Array),
  u32: number(Uint32Array),
  u64: whole(BigUint64Array, (x) => BigInt.asUintN(64, x)),
  f16: number(Uint16Array, ofHalf, halfOf),
  f32: number(Float32Array),
  f64: number(Float64Array),
  bool: number(Uint8Array, Boolean, (x) => (x ? 1 : 0)),
};

const KEY = Symbol("of this module");

class FutharkValue {
  constructor(key, context, type, pointer) {
    if (key !== KEY) throw new FutharkError("values are made by a context");
    Object.defineProperties(this, {
      context: { value: context },
      type: { value: type },
      pointer: { value: pointer, writable: true },
    });
  }

  // Gives its memory back; it cannot be used after that.
  free() {
    this.context.freeValue(KEY, this);
  }
}

export class FutharkArray extends FutharkValue {
  // The sizes, as BigInts.
  shape() {
    return this.context.shapeOf(KEY, this);
  }

  // A flat copy of the elements.
  toTypedArray() {
    return this.context.elementsOf(KEY, this);
  }

  // The elements as nested arrays.
  toArray() {
    const { read } = PRIMS[this.type.prim];
    const flat = this.toTypedArray();
    const shape = this.shape().map(Number);
    let at = 0;
    const nested = (dimension) => {
      const out = new Array(shape[dimension]);
      for (let i = 0; i < out.length; i++) {
        out[i] = dimension + 1 === shape.length ? read(flat[at++]) : nested(dimension + 1);
      }
      return out;
    };
    return nested(0);
  }
}

export class FutharkOpaque extends FutharkValue {}

const what = (value) => {
  if (value instanceof FutharkValue) return `a value of type ${value.type.name}`;
  return value === null ? "null" : `a value of JavaScript's type ${typeof value}`;
};

// The sizes of a nested array; of one without elements, all that cannot be seen are 0.
function shapeOfNested(array, rank) {
  const shape = [];
  let inner = array;
  while (shape.length < rank) {
    if (!Array.isArray(inner) && !ArrayBuffer.isView(inner)) {
      throw new FutharkError(`an array of ${rank} dimensions is not nested ${rank} times`);
    }
    shape.push(inner.length);
    inner = inner.length === 0 ? [] : inner[0];
  }
  return shape;
}

export class FutharkContext {
  #exports;
  #config;
  #context;
  #scratch;
  #crew;
  #ended = null;

  constructor(key, module, crew, threads) {
    if (key !== KEY) throw new FutharkError("contexts are made by newFutharkContext()");
    this.#crew = crew;
    this.#exports = instantiate(module, consoleHost(), crew);
    this.#exports._initialize();
    const most = Math.max(0, ...PROGRAM.entries.map((e) => e.inputs.length));
    // A result, the shape of an array, or arguments with their addresses.
    this.#scratch = this.#exports.malloc(8 + 12 * most + 8 * 64);
    this.#config = this.#exports.futhark_context_config_new();
    if (crew !== undefined && this.#config !== 0) {
      this.#exports.futhark_context_config_set_num_threads(this.#config, threads);
    }
    this.#context = this.#config === 0 ? 0 : this.#exports.futhark_context_new(this.#config);
    if (this.#scratch === 0 || this.#context === 0) throw new FutharkOutOfMemory("out of memory");
    const error = this.#takeError();
    if (error !== null) throw new FutharkError(error);
  }

  // Frees all memory of the context; it and its values cannot be used after that.
  free() {
    this.#enter();
    this.#exports.futhark_context_free(this.#context);
    this.#exports.futhark_context_config_free(this.#config);
    this.#crew?.end();
    this.#ended = "the context was freed";
    this.#exports = null;
  }

  // What was counted of memory and calls, as text for people.
  report() {
    this.#enter();
    return this.#text(this.#exports.futhark_context_report(this.#context));
  }

  // ---- For values. ----

  freeValue(key, value) {
    this.#own(key, value);
    this.#check(this.#exports.futc_library_free(this.#context, value.type.number, value.pointer));
    value.pointer = 0;
  }

  shapeOf(key, value) {
    this.#own(key, value);
    const at = this.#exports.futc_library_shape(this.#context, value.type.number, value.pointer);
    if (at === 0) this.#fail();
    return Array.from(new BigInt64Array(this.#exports.memory.buffer, at >>> 0, value.type.rank));
  }

  elementsOf(key, value) {
    const length = this.shapeOf(key, value).reduce((product, n) => product * Number(n), 1);
    const at = this.#exports.futc_library_values_raw(this.#context, value.type.number, value.pointer);
    if (at === 0) this.#fail();
    return new PRIMS[value.type.prim].array(this.#exports.memory.buffer, at >>> 0, length).slice();
  }

  // ---- For entry points. ----

  newArray(key, type, array, sizes) {
    this.#enter();
    const { array: Elements } = PRIMS[type.prim];
    if (!(array instanceof Elements)) {
      throw new FutharkError(`a new array of type ${type.name} is made of a ${Elements.name}, not ${what(array)}`);
    }
    const shape = sizes.map((size) => BigInt(size));
    const length = shape.reduce((product, n) => product * n, 1n);
    if (shape.length !== type.rank || shape.some((n) => n < 0n) || length !== BigInt(array.length)) {
      throw new FutharkError(`${array.length} elements are no array of type ${type.name} with the sizes ${shape.join(", ")}`);
    }
    const room = this.#exports.malloc(array.byteLength + 8);
    if (room === 0) throw new FutharkOutOfMemory("Error: out of memory");
    try {
      new Elements(this.#exports.memory.buffer, room >>> 0, array.length).set(array);
      new BigInt64Array(this.#exports.memory.buffer, this.#scratch >>> 0, type.rank).set(shape);
      const made = this.#exports.futc_library_new_array(this.#context, type.number, room, this.#scratch);
      if (made === 0) this.#fail();
      return this.#value(type, made);
    } finally {
      this.#exports.free(room);
    }
  }

  newNestedArray(key, type, nested) {
    const { array: Elements, write } = PRIMS[type.prim];
    const shape = shapeOfNested(nested, type.rank);
    const elements = new Elements(shape.reduce((product, n) => product * n, 1));
    let at = 0;
    const put = (array, dimension) => {
      if (array?.length !== shape[dimension]) {
        throw new FutharkError(`an array of type ${type.name} is made of arrays of different lengths`);
      }
      for (const x of array) {
        if (dimension + 1 < type.rank) put(x, dimension + 1);
        else elements[at++] = this.#converted(type, write, x);
      }
    };
    put(nested, 0);
    return this.newArray(key, type, elements, shape);
  }

  call(key, entry, number, args) {
    this.#enter();
    const { name, inputs } = entry;
    if (args.length !== inputs.length) {
      throw new FutharkError(`${name}: ${inputs.length} arguments are needed, not ${args.length}`);
    }
    const result = this.#scratch >>> 0;
    const addresses = result + 8 + 8 * inputs.length;
    const view = new DataView(this.#exports.memory.buffer);
    inputs.forEach((input, i) => {
      const type = TYPES[input];
      const place = result + 8 + 8 * i;
      if (type.kind === "scalar") {
        const { array: Elements, write } = PRIMS[type.prim];
        const x = this.#converted(type, write, args[i]);
        new Elements(this.#exports.memory.buffer, place, 1)[0] = x;
        view.setUint32(addresses + 4 * i, place, true);
        return;
      }
      if (!(args[i] instanceof FutharkValue) || args[i].type !== type) {
        throw new FutharkError(`${name}: argument ${i} is of type ${type.name}, not ${what(args[i])}`);
      }
      this.#own(KEY, args[i]);
      view.setUint32(addresses + 4 * i, args[i].pointer, true);
    });
    this.#check(this.#run(() => this.#exports.futc_library_call(this.#context, BigInt(number), result, addresses)));
    return this.#result(TYPES[entry.result]);
  }

  // ---- Inside. ----

  // A result that lies in the scratch memory.
  #result(type) {
    const at = this.#scratch >>> 0;
    const buffer = this.#exports.memory.buffer;
    if (type.kind === "scalar") {
      const { array: Elements, read } = PRIMS[type.prim];
      return read(new Elements(buffer, at, 1)[0]);
    }
    const pointer = new DataView(buffer).getUint32(at, true);
    if (type.kind !== "tuple") return this.#value(type, pointer);
    try {
      return type.fields.map((field, i) => {
        const taken = this.#exports.futc_library_project(this.#context, type.number, BigInt(i), at, pointer);
        this.#check(taken);
        return this.#result(TYPES[field]);
      });
    } finally {
      this.#exports.futc_library_free(this.#context, type.number, pointer);
    }
  }

  #value(type, pointer) {
    const Class = type.kind === "array" ? FutharkArray : FutharkOpaque;
    return new Class(KEY, this, type, pointer);
  }

  // A call of the program. If it ends by anything but its return, the runtime was left in the middle of something.
  #run(call) {
    try {
      return call();
    } catch (error) {
      this.#ended = "the context cannot be used any more, since a call crashed";
      this.#crew?.end();
      if (!(error instanceof Exit)) throw error;
      throw new FutharkError("Error: Stack overflow: the recursion is too deep, and the context cannot be used any more");
    }
  }

  #converted(type, write, x) {
    const isFit = { number: true, bigint: type.prim.endsWith("64"), boolean: type.prim === "bool" }[typeof x];
    try {
      if (isFit) return write(x);
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    }
    throw new FutharkError(`${isFit ? x : what(x)} is no value of type ${type.name.replaceAll("[]", "")}`);
  }

  #enter() {
    if (this.#ended !== null) throw new FutharkError(this.#ended);
  }

  #own(key, value) {
    if (key !== KEY) throw new FutharkError("this is for values of this module");
    this.#enter();
    if (value.context !== this) throw new FutharkError("this is a value of another context");
    if (value.pointer === 0) throw new FutharkError("this value was freed");
  }

  #check(code) {
    if (code !== 0) this.#fail(code);
  }

  #fail(code) {
    const message = this.#takeError() ?? "Error: out of memory";
    throw new (code === OUT_OF_MEMORY ? FutharkOutOfMemory : FutharkError)(message);
  }

  #takeError() {
    const at = this.#exports.futhark_context_get_error(this.#context);
    return at === 0 ? null : this.#text(at);
  }

  // Text that the runtime hands over.
  #text(pointer) {
    if (pointer === 0) throw new FutharkOutOfMemory("Error: out of memory");
    const at = pointer >>> 0;
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    const text = new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
    this.#exports.free(pointer);
    return text.trim();
  }
}

const TYPES = PROGRAM.types.map((type, number) => ({ ...type, number: BigInt(number) }));
PROGRAM.entries.forEach((entry, number) => {
  const call = function (...args) {
    return this.call(KEY, entry, number, args);
  };
  Object.defineProperty(FutharkContext.prototype, entry.name, { value: call, configurable: true, writable: true });
});
for (const type of TYPES.filter((t) => t.kind === "array")) {
  const name = `new_${type.prim}_${type.rank}d`;
  FutharkContext.prototype[name] = function (array, ...sizes) {
    return this.newArray(KEY, type, array, sizes);
  };
  FutharkContext.prototype[`${name}_from_jsarray`] = function (array) {
    return this.newNestedArray(KEY, type, array);
  };
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source ?? FILE, import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new FutharkError(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

let own;

const isSource = (given) =>
  typeof given === "string" || given instanceof URL || given instanceof WebAssembly.Module ||
  given instanceof ArrayBuffer || ArrayBuffer.isView(given);

// What a context is made with: a source, or options.
function optionsOf(given) {
  if (given === undefined || isSource(given)) return { source: given };
  if (typeof given !== "object" || given === null) {
    throw new FutharkError(`a context is made of options or of a module, not of ${what(given)}`);
  }
  const known = THREADS ? ["source", "threads"] : ["source"];
  for (const name of Object.keys(given)) {
    if (name === "threads" && !THREADS) {
      throw new FutharkError("threads: this library has one thread; --target=wasm-multicore makes one that has more");
    }
    if (!known.includes(name)) throw new FutharkError(`there is no option ${name}; options are ${known.join(" and ")}`);
  }
  const { source, threads } = given;
  if (source !== undefined && !isSource(source)) throw new FutharkError(`source: ${what(source)} is no module`);
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS)) {
    throw new FutharkError(`threads: ${String(threads)} is not a number from 1 to ${MOST_THREADS}`);
  }
  return given;
}

// The runtime's limit.
const MOST_THREADS = 1024;

// The number of threads, and what they need.
async function threaded(module, asked) {
  let place = webWorkplace();
  const isNode = Boolean(globalThis.process?.versions?.node);
  if (isNode) {
    const names = ["node:os", "node:worker_threads"];
    const modules = new Map(await Promise.all(names.map(async (name) => [name, await import(name)])));
    place = nodeWorkplace((name) => modules.get(name));
  }
  const threads = asked ?? Math.min(Math.max(place.cpus(), 1), MOST_THREADS);
  // Without, memory cannot be given to workers, though some browsers make it.
  const canShare = isNode || globalThis.crossOriginIsolated !== false;
  if (threads > 1 && (!canShare || typeof SharedArrayBuffer === "undefined")) {
    throw new FutharkError(
      "threads need SharedArrayBuffer, which a page has only if it is served with the headers " +
        "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp; " +
        "newFutharkContext({ threads: 1 }) does without",
    );
  }
  return { threads, crew: crewOf(module, () => place), early: isNode ? 0 : threads - 1 };
}

// Makes a context. `given` is the module, its bytes, or where it is, if that is not beside this file; or options,
// of which that is `source`.
export async function newFutharkContext(given) {
  const { source, threads: asked } = optionsOf(given);
  const module = await (source === undefined ? (own ??= compiled()) : compiled(source));
  if (!THREADS) return new FutharkContext(KEY, module);
  const { threads, crew, early } = await threaded(module, asked);
  try {
    const context = new FutharkContext(KEY, module, crew, threads);
    await crew.ready(early).catch((error) => {
      throw new FutharkError(`threads cannot be started: ${error.message}`);
    });
    return context;
  } catch (error) {
    crew.end();
    throw error;
  }
}
