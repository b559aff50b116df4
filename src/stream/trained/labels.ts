/** What a sentence says has become of something that its reader would have on a list. */
export const EFFECTS = ['done', 'cancelled', 'moved', 'asks', 'none'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The effects that change a note. */
export const CHANGES = ['done', 'cancelled', 'moved'] as const;
export type Change = (typeof CHANGES)[number];

/** What a mail as a whole says has become of something on its reader's list. */
export const MAIL_EFFECTS = ['done', 'cancelled', 'moved', 'none'] as const;
export type MailEffect = (typeof MAIL_EFFECTS)[number];

/** What kind of deed a sentence, or the name of a task, is about. */
export const TOPICS = [
  ...([
    'payment',
    'refund',
    'dispatch',
    'delivery',
    'order',
    'signature',
    'booking',
    'appointment',
    'renewal',
  ] as const),
  ...(['ending', 'submission', 'approval', 'registration', 'work', 'returning', 'pickup', 'reply', 'other'] as const),
] as const;
export type Topic = (typeof TOPICS)[number];
