/** What a note says above the part that the steward keeps up to date. */
export const KEPT_OPENING = 'What you write above or below the part that the steward keeps up to date stays as it is.';

/** Why such a note was left as it is. */
export const WHY_LEFT = {
  unreadable: 'It cannot be read as a note, so it was left as it is.',
  marks: 'Its marks have changed, so it was left as it is.',
  typed:
    'Somebody has written between its marks, so it was left as it is: move those words above or below the marks, and delete what is between them.',
  busy: 'Somebody is editing it just now; it is written the next time.',
} as const;
