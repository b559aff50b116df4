import fs from 'node:fs';
import { onTestFinished, vi } from 'vitest';

/** Makes the disk refuse to open files whose path ends with `ending`, to read or to write, until `again` is called. */
export function refused(ending: string, code: string): { again: () => void } {
  const { openSync, writeFileSync } = fs;
  const demand = (file: unknown) => {
    if (!String(file).endsWith(ending)) return;
    throw Object.assign(new Error(`${code}: open '${file}'`), { code, path: String(file) });
  };
  const spies = [
    vi.spyOn(fs, 'openSync').mockImplementation((file, ...rest) => {
      demand(file);
      return openSync(file, ...rest);
    }),
    vi.spyOn(fs, 'writeFileSync').mockImplementation((file, ...rest) => {
      demand(file);
      writeFileSync(file, ...rest);
    }),
  ];
  const again = () => {
    for (const spy of spies) spy.mockRestore();
  };
  onTestFinished(again);
  return { again };
}
