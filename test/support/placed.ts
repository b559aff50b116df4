import fs from 'node:fs';
import path from 'node:path';

const MONTH = /^\d{4}-\d\d$/;

/**
 * Returns where a file of a vault lies, absolute: as it is named, or else, for a note named as if it lay directly in the
 * folder of its kind, in one of that folder's months.
 */
export function placed(root: string, file: string): string {
  const place = path.join(root, file);
  if (fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined) return place;
  const folder = path.dirname(place);
  const inMonths = monthsIn(folder).map((month) => path.join(folder, month, path.basename(place)));
  return inMonths.find((one) => fs.existsSync(one)) ?? place;
}

/** Returns the vault-relative paths of what lies in a folder and in its months, in the order of the names. */
export function pathsIn(root: string, folder: string): string[] {
  const place = path.join(root, folder);
  if (!fs.existsSync(place)) return [];
  const months = monthsIn(place);
  const own = fs.readdirSync(place).filter((name) => !months.includes(name));
  const found = months.flatMap((month) => fs.readdirSync(path.join(place, month)).map((name) => `${month}/${name}`));
  return [...own, ...found].sort(byName).map((name) => `${folder}/${name}`);
}

/** The same, of which only the names are wanted. */
export function namesIn(root: string, folder: string): string[] {
  return pathsIn(root, folder).map((file) => path.posix.basename(file));
}

function monthsIn(folder: string): string[] {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const months = fs.readdirSync(folder).filter((name) => MONTH.test(name));
  return months.filter((month) => fs.lstatSync(path.join(folder, month)).isDirectory()).sort();
}

function byName(one: string, other: string): number {
  const [first, second] = [path.posix.basename(one), path.posix.basename(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
