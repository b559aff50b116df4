import { sha256 } from '../../vault/hash.ts';
import type { GenericEvent } from './generic-event.ts';

const ENDING = '.event.json';
/** As many digits of a hash tell all events apart. */
const NAME_DIGITS = 32;

/** Whether a file of this name holds one event in the form in which programs hand it in. */
export function isGenericFile(file: string): boolean {
  return file.toLowerCase().endsWith(ENDING);
}

/**
 * Returns the name of the file of an event, without its folder: the same however often it is handed in. `nth`, from 1 on,
 * gives it others, where somebody else's file has it.
 */
export function genericName(source: string, { id }: Pick<GenericEvent, 'id'>, nth = 1): string {
  const rest = nth === 1 ? '' : `-${nth}`;
  return `${sha256(`event ${source} ${id}`).slice(0, NAME_DIGITS)}${rest}${ENDING}`;
}
