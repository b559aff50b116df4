import type { ItemKind } from './items.ts';
import { isMailFile } from './mail/source-type.ts';
import { isPostmark } from './postmark.ts';

/** How much of a file is looked at to know it. */
const HEAD = 64 * 1024;
const NAME = /(?:^|\/)(?:[^/]*\.mbo?x(?:[.-]\d{1,5})?|[^/.]+)$/i;

/** A mailbox: one mail after the other, as Thunderbird, Apple Mail, mutt, many servers and Google Takeout write it. */
export const MBOX: ItemKind = {
  name: 'mbox',
  version: 1,
  title: 'a mailbox (mbox)',
  sourceType: 'mail',
  takes: (file) => NAME.test(file) && !isMailFile(file),
  recognises: (head) => {
    const start = head.findIndex((byte, nth) => byte !== 0x0a && byte !== 0x0d && byte !== BOM[nth]);
    return start < 0 || isPostmark(head.subarray(start), head.length < HEAD);
  },
  isAppended: true,
  load: async () => (await import('./mbox-reader.ts')).readMailbox,
};

const BOM = [0xef, 0xbb, 0xbf];
