import type { Attack } from './attack.ts';
import { FALSE_RECORDS } from './false-records.ts';
import { FALSE_SIGNALS } from './false-signals.ts';
import { FORGED } from './forged.ts';
import { HONEST_NORTH } from './honest-north.ts';
import { HONEST_SOUTH } from './honest-south.ts';
import { PASSED_ON } from './passed-on.ts';
import { STRANGERS } from './strangers.ts';
import { TOLD } from './told.ts';

/** Everything hostile: mails, and notes dropped into a vault that is shared. */
export const ATTACKS: readonly Attack[] = [
  ...FORGED,
  ...STRANGERS,
  ...PASSED_ON,
  ...TOLD,
  ...FALSE_SIGNALS,
  ...FALSE_RECORDS,
];

/** Mails that known senders really sent. */
export const HONEST_MAILS = [...HONEST_NORTH, ...HONEST_SOUTH];
