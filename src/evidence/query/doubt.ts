import { fold } from '../../vault/note-names.ts';
import type { Table } from '../formats/rows.ts';
import { type Compared, type Condition, comparisonsIn, fieldOf, isMoment } from './condition.ts';

/** Words that say something about a value, where no row holds them as one. */
const ABOUT_VALUES =
  /^(?:(?:un|non-?)?(?:empty|set|defined|specified|known|given|blank|missing|absent|present|available|assigned|valid)|invalid|none|nothing|nil|n\/a|na|nan|yes|no|on|off|even|odd|positive|negative|numeric|unique|distinct|duplicated?s?|max|maximum|min|minimum|highest|lowest|largest|smallest|greatest|least|most|average|median|mean|today|yesterday|tomorrow|now|recent|past|future|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|same|different)$/i;
const LIKE_A_NUMBER = /^[+\-~]?\p{Sc}?\.?\d/u;

/**
 * Whether a word of a condition may mean something else than the text that it is: no row holds that text, and it is said
 * of values rather than being one (`empty`), names another field, is a number in a form of its own (`1,000`), or differs
 * from a value in upper and lower case alone. To count none would then be a guess.
 */
export function isDoubtful(where: Condition, tables: readonly Pick<Table, 'rows'>[]): boolean {
  const loose = comparisonsIn(where).filter((one) => one.loose === true);
  if (loose.length === 0) return false;
  const rows = tables.flatMap((table) => table.rows);
  return loose.some((one) => isWordDoubtful(one, rows));
}

function isWordDoubtful({ field, op, to }: Compared, rows: Table['rows']): boolean {
  if (typeof to !== 'string' || (op !== '==' && op !== '!=')) return false;
  const values = new Set(rows.flatMap(({ value }) => textIn(value, field)));
  if (values.has(to)) return false;
  if (ABOUT_VALUES.test(to) || (LIKE_A_NUMBER.test(to) && !isMoment(to))) return true;
  return rows.some(({ value }) => fieldOf(value, to).there) || [...values].some((one) => fold(one) === fold(to));
}

function textIn(row: unknown, field: string): string[] {
  const found = fieldOf(row, field);
  return found.there && typeof found.value === 'string' ? [found.value] : [];
}
