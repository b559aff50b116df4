import { isAgent } from '../../vault/source-names.ts';
import { noVoucher } from '../gates/voucher-words.ts';
import type { Licence } from './licences.ts';

/**
 * Returns what a source still lacks to act by itself on a matter, as whole sentences; null where it lacks nothing, or
 * where it never acts by itself. `where`: the matter's name, or the note's.
 */
export function lackWords(licence: Licence, where: string): string | null {
  const { source, known, writer } = licence;
  if (writer === 'unknown') return null;
  if (licence.silence !== null) return licence.silence;
  if (isAgent(source)) return null;
  const unvouched = unvouchedWords(licence);
  if (known === 'unknown') {
    const earns = `${source} has ${outcomes(licence)} on ${where}; until then it only proposes there.`;
    return unvouched === null ? earns : `${earns} Besides, ${unvouched}.`;
  }
  if (licence.owed > 0) return `A change from ${source} was taken back; ${moreWords(licence.owed)} before it may act.`;
  if (unvouched === null) return null;
  return `${source} ${known === 'named' ? `is named on ${where}` : `has ${outcomes(licence)} on ${where}`}, but ${unvouched}.`;
}

/** Returns a licence in one line, with its figures. `where`: the matter's name, or the note's. */
export function licenceWords(licence: Licence, where: string): string {
  const { source, writer, confidence, threshold, silence, pinned, status } = licence;
  if (writer === 'unknown') return `${source}: others write its signals, and no setting trusts it, so it never acts`;
  if (isAgent(source))
    return `${source}: an agent, so it never acts; right ${timesWords(licence.observations)} in all; trust ${confidence}`;
  const marks = [...(pinned ? ['pinned'] : []), ...(status === 'live' ? [] : [status])];
  const needs = threshold === null ? `it stays unheard: ${silence}` : `${threshold} needed`;
  return [
    `${source}: ${standingWords(licence, where)}`,
    voucherWords(licence),
    `right ${timesWords(licence.observations)} in all, ${needs}`,
    `trust ${confidence}`,
    ...(licence.owed > 0 ? [`a change was taken back; ${moreWords(licence.owed)} before it may act`] : []),
    ...marks,
  ].join('; ');
}

function standingWords(licence: Licence, where: string): string {
  const { known, writer } = licence;
  if (writer === 'trusted') return `trusted by the settings, ${outcomes(licence)} on ${where}`;
  const words = { named: 'named', earned: 'earned', unknown: 'not named' } as const;
  return `${words[known]}, ${outcomes(licence)} on ${where}`;
}

function voucherWords({ source, writer, vouched, server }: Licence): string {
  if (writer === null) return 'no signal so far';
  if (vouched === 'pass') return `${server ?? 'its channel'} vouches for it`;
  return vouched === 'fail'
    ? `${server ?? 'the mail server'} says it is forged`
    : `${noVoucher(source)} vouches for it`;
}

function unvouchedWords(licence: Licence): string | null {
  return licence.writer === null || licence.vouched === 'pass' ? null : voucherWords(licence);
}

function outcomes({ right, needed }: Licence): string {
  return `${right} of ${needed} right outcomes`;
}

function moreWords(owed: number): string {
  return `${owed} more right ${owed === 1 ? 'outcome' : 'outcomes'} needed`;
}

/** Returns how often something was so: `once`, `3 times`. */
export function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
