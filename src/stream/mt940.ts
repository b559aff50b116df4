import { asciiOf } from './charset.ts';
import type { ItemKind } from './items.ts';

/** Statements of SWIFT, MT940, as they come from banks all over Europe. */
export const MT940: ItemKind = {
  name: 'mt940',
  version: 1,
  title: 'a bank statement (MT940)',
  sourceType: 'bank',
  takes: (file) => /\.(?:sta|mt940|940|swi|txt)$/i.test(file),
  recognises: (head) => {
    const text = asciiOf(head);
    return text.includes(':20:') && /(?:^|[\r\n]):60[FM]:[CD]\d{6}[A-Z]{3}/.test(text);
  },
  isAppended: false,
  load: async () => (await import('./mt940-reader.ts')).readMt940,
};
