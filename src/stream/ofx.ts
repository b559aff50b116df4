import { asciiOf } from './charset.ts';
import type { ItemKind } from './items.ts';

/** Statements of bank accounts and credit cards as OFX, which Quicken calls QFX. */
export const OFX: ItemKind = {
  name: 'ofx',
  version: 1,
  title: 'a bank statement (OFX)',
  sourceType: 'bank',
  takes: (file) => /\.(?:ofx|qfx)$/i.test(file),
  recognises: (head) => /<(?:[A-Za-z\d]{1,20}:)?OFX[\s>]/i.test(asciiOf(head)),
  isAppended: false,
  load: async () => (await import('./ofx-reader.ts')).readOfx,
};
