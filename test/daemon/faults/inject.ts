// Loaded before the program (`node --import`): has functions of the program fail beside their work, once each time that a test
// asks for it. STEWARD_TEST_FAULTS names a folder; FAULTS there lists the functions, and a file FAULT.throw or FAULT.reject
// asks for the next call to fail in that way.
import fs from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';

const folder = process.env.STEWARD_TEST_FAULTS ?? '';
/** Name of a fault → the source file, and the function or method in it. */
const faults: Readonly<Record<string, readonly [file: string, target: string]>> = JSON.parse(
  fs.readFileSync(path.join(folder, 'FAULTS'), 'utf8'),
);

function isAsked(name: string, how: string): boolean {
  try {
    fs.unlinkSync(path.join(folder, `${name}.${how}`));
    return true;
  } catch {
    return false;
  }
}

function failIfAsked(name: string): void {
  if (isAsked(name, 'throw')) {
    setImmediate(() => {
      throw new TypeError(`injected in ${name}`);
    });
  }
  if (isAsked(name, 'reject')) void Promise.reject(new TypeError(`injected in ${name}`));
}

type Method = (this: unknown, ...given: unknown[]) => unknown;

Object.assign(globalThis, {
  withFault: (name: string, original: Method): Method =>
    function failing(this: unknown, ...given) {
      failIfAsked(name);
      return Reflect.apply(original, this, given);
    },
});

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = Object.entries(faults).filter(([, [file]]) => url.endsWith(`/src/${file}`));
    if (own.length === 0 || loaded.source == null) return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    const patches = own.map(
      ([name, [, target]]) => `${target} = globalThis.withFault(${JSON.stringify(name)}, ${target});`,
    );
    return { ...loaded, source: [source, ...patches].join('\n') };
  },
});

// Work that belongs to no component.
setInterval(() => failIfAsked('unknown'), 20).unref();
