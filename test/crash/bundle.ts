import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const CACHE = path.join(import.meta.dirname, '../../node_modules/.cache');

/** The driver, and the process that it starts beside itself. */
const ENTRIES = ['driver.ts', '../../src/streams/item-worker.ts'];

/** A driver as a program: the file that node runs, and the environment to run it in. */
export interface DriverProgram {
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The driver as one file of plain JavaScript: a process loads it in a tenth of a second instead of half a second, and
 * every kill costs a process. It lies under node_modules, so that it finds the packages that cannot be bundled.
 */
export class DriverBundle implements DriverProgram, Disposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<DriverBundle> {
    fs.mkdirSync(CACHE, { recursive: true });
    const bundle = new DriverBundle(fs.realpathSync(fs.mkdtempSync(path.join(CACHE, 'crash-'))));
    for (const entry of ENTRIES) await bundled(path.join(import.meta.dirname, entry), bundle.folder);
    // A killed process leaves no compiled code for the next one, so this one is left to exit by itself.
    execFileSync(process.execPath, [bundle.script], { env: bundle.env, input: '' });
    return bundle;
  }

  get script(): string {
    return path.join(this.folder, 'driver.js');
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, NODE_COMPILE_CACHE: path.join(this.folder, 'compiled') };
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

async function bundled(entry: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, external: ['koffi', 'write-file-atomic'] },
    build: {
      ...{ ssr: entry, outDir, emptyOutDir: false, target: 'node22' },
      // What is loaded late lies beside the driver too: from there it finds its worker.
      rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
    },
  });
}
