/** A day, in ms. */
export const DAY = 24 * 60 * 60 * 1000;
/** A week, in ms. */
export const WEEK = 7 * DAY;
