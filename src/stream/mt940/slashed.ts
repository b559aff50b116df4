import { ibanForm } from '../../vault/source-names.ts';
import type { Details } from './details.ts';
import { joined } from './joined.ts';

/** The fields of `/TRTP/SEPA/IBAN/…/NAME/…/REMI/…`, as banks of the Netherlands, Belgium and elsewhere write them. */
const KEYS: ReadonlySet<string> = new Set([
  ...['TRTP', 'TRCD', 'IBAN', 'BIC', 'NAME', 'REMI', 'EREF', 'PREF', 'KREF', 'IREF', 'ORDP', 'BENM', 'CSID', 'MARF'],
  ...['CNTP', 'RTRN', 'ISDT', 'SVCL', 'ADDR', 'ULTD', 'ULTB', 'ULTC', 'PURP', 'OCMT', 'CHGS', 'EXCH', 'ACCW', 'BUSP'],
  ...['ABWA', 'RTYP', 'NRTX', 'SUM', 'INIS', 'SWOC', 'SWOD', 'ID', 'PT', 'PY'],
]);
const KEY = /\/([A-Z]{2,4})(?=\/)/g;
const BEGIN = /^ {0,4}\/([A-Z]{2,4})\//;
const NO_REFERENCE = /^(?:notprovided|nonref)?$/i;

/** Returns what a `:86:` with fields between slashes says; null where it is written in another way. */
export function slashedNarrative(lines: readonly string[]): Details | null {
  if (!KEYS.has(BEGIN.exec(lines[0] ?? '')?.[1] ?? '')) return null;
  const said = fieldsOf(joined(lines, '/'));
  const [iban, , name] = (said.get('CNTP') ?? '').split('/');
  const remittance = said.get('REMI') ?? '';
  const [, structured] = /^STRD\/[A-Z]{0,4}\/([^/]{1,40})/.exec(remittance) ?? [];
  const references = [structured, said.get('EREF'), said.get('MARF'), said.get('PREF')].map((one) => bare(one ?? ''));
  return {
    counterparty: bare(said.get('NAME') ?? '') || bare(name ?? '') || null,
    iban: ibanForm(said.get('IBAN')?.replace(/\/.*$/s, '')) ?? ibanForm(iban),
    references: references.filter((one) => !NO_REFERENCE.test(one.replace(/\s+/g, ''))),
    purpose: structured ?? (wordsOf(remittance) || bare(said.get('TRTP') ?? '')),
  };
}

/** The first of each counts. What follows the words of who paid cannot say who that was. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const { key, value } of partsOf(text)) {
    const isTooLate = said.has('REMI') && ['IBAN', 'NAME', 'CNTP'].includes(key);
    if (!said.has(key) && !isTooLate) said.set(key, value.slice(1).trim());
  }
  return said;
}

/** Each key with what follows; what only looks like one belongs to the words before it. */
function partsOf(text: string): readonly { readonly key: string; readonly value: string }[] {
  const pieces = text.split(KEY);
  const parts: { key: string; value: string }[] = [];
  for (let nth = 1; nth < pieces.length; nth += 2) {
    const [key = '', value = ''] = [pieces[nth], pieces[nth + 1]];
    const last = parts.at(-1);
    if (KEYS.has(key)) parts.push({ key, value });
    else if (last !== undefined) last.value += `/${key}${value}`;
  }
  return parts;
}

function wordsOf(remittance: string): string {
  return bare(remittance.replace(/^USTD\/{1,2}/, ''));
}

function bare(value: string): string {
  return value.replace(/^[/\s]{1,20}/, '').replace(/(?<![/\s])[/\s]+$/, '');
}
