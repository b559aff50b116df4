import fs from 'node:fs';
import path from 'node:path';

/** What systemd is told to allow a steward on a vault of some size. */
interface Limits {
  readonly files: number;
  /** MiB: from here on the system takes memory back where it can, and at the end it ends the process. */
  readonly memoryHigh: number;
  readonly memoryMax: number;
  readonly startSeconds: number;
}

/** More than a start without a cache takes at its height; what the program takes by itself is the least. */
const KIB_A_NOTE = 8;
const LEAST_MIB = 768;
/** A lock whose process cannot be seen is watched for 90 s, and 1000 notes are read in a second even by a slow disk. */
const LEAST_START_S = 180;
const NOTES_A_SECOND = 1_000;

/** Returns what a vault of so many files needs, rounded up so that a vault has room to grow. */
export function limitsFor(files: number): Limits {
  const memoryMax = Math.ceil((LEAST_MIB + (files * KIB_A_NOTE) / 1024) / 256) * 256;
  return {
    files,
    memoryHigh: memoryMax - 128,
    memoryMax,
    startSeconds: LEAST_START_S + Math.ceil(files / NOTES_A_SECOND / 60) * 60,
  };
}

/** Returns the settings of a unit by which systemd holds a steward to its limits, with the reason above them. */
export function limitLines(limits: Limits): string {
  return [
    `# For the ${limits.files} files of this vault. Where it has become much larger, install again.`,
    ...settingsOf(limits),
  ].join('\n');
}

/** Returns a unit with these limits in the place of its own. */
export function withLimits(unit: string, limits: Limits): string {
  const known = unit.replace(
    /^# Enough for .*$/m,
    `# For the ${limits.files} files of this vault; install again where it has become much larger.`,
  );
  return settingsOf(limits).reduce((text, line) => {
    const [name = ''] = line.split('=');
    return text.replace(new RegExp(`^${name}=.*$`, 'm'), line);
  }, known);
}

function settingsOf({ memoryHigh, memoryMax, startSeconds }: Limits): readonly string[] {
  return [`MemoryHigh=${memoryHigh}M`, `MemoryMax=${memoryMax}M`, `TimeoutStartSec=${startSeconds}`];
}

/** Returns how many files lie in a folder, without those that are hidden; none where it cannot be read. */
export function countFiles(folder: string): number {
  let count = 0;
  for (const item of itemsOf(folder)) {
    if (item.name.startsWith('.')) continue;
    if (item.isDirectory()) count += countFiles(path.join(folder, item.name));
    else count += 1;
  }
  return count;
}

function itemsOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
