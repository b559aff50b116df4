import { asciiOf } from './charset.ts';
import type { ItemKind } from './items.ts';

/** Account reports, statements and notifications of ISO 20022: camt.052, camt.053 and camt.054. */
export const CAMT: ItemKind = {
  name: 'camt',
  version: 1,
  title: 'a bank statement (CAMT)',
  sourceType: 'bank',
  takes: (file) => /\.(?:xml|camt|c5[234])$/i.test(file),
  recognises: (head) => /urn:iso:std:iso:20022:tech:xsd:camt\.05[234]\./.test(asciiOf(head)),
  isAppended: false,
  load: async () => (await import('./camt-reader.ts')).readCamt,
};
