import type { Email } from 'postal-mime';

/** What is attached to a mail, or stands beside its text in another form. */
export type Part = Email['attachments'][number];

const TYPES = new Set(['text/calendar', 'application/ics']);
const NAME = /\.(?:ics|ical|icalendar)$/i;
const MOST_PARTS = 4;

/** Returns the parts of a mail that are calendars, at most four. */
export function calendarParts({ attachments }: Pick<Email, 'attachments'>): readonly Part[] {
  return attachments
    .filter(({ mimeType, filename }) => TYPES.has(mimeType.toLowerCase()) || NAME.test(filename ?? ''))
    .slice(0, MOST_PARTS);
}
