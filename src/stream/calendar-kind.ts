import type { ItemKind } from './items.ts';

const NAME = /\.(?:ics|ical|icalendar)$/i;
/** How a calendar begins, in any charset that its bytes may be in: those between the letters are of UTF-16. */
const BEGIN = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*B\0?E\0?G\0?I\0?N\0?:\0?V\0?C\0?A\0?L\0?E\0?N\0?D\0?A\0?R/i;

/** The appointments of a calendar in the format of iCalendar. */
export const CALENDAR: ItemKind = {
  name: 'icalendar',
  version: 1,
  title: 'a calendar (iCalendar)',
  sourceType: 'calendar',
  takes: (file) => NAME.test(file),
  recognises: (head) => BEGIN.test(Buffer.from(head.subarray(0, 4096)).toString('latin1')),
  isAppended: false,
  load: async () => (await import('./calendar-reader.ts')).readCalendar,
};
