/** How far the confidence and the observations of one source moved. */
export interface Calibration {
  readonly source: string;
  readonly before: number;
  readonly after: number;
  readonly observations: { readonly before: number; readonly after: number };
}

/** Returns a calibration as a note shows it: `0.9 → 0.8`. */
export function calibrationText(before: number, after: number): string {
  return `${before} → ${after}`;
}

/** Returns the two figures of a calibration as written, or null where the text is none. */
export function calibrationFigures(text: string): { before: number; after: number } | null {
  const [before, after] = text.split('→').map((part) => Number(part.trim() || Number.NaN));
  if (before === undefined || after === undefined || !Number.isFinite(before) || !Number.isFinite(after)) return null;
  return { before, after };
}

/** Returns calibrations as a note records them: source → "before → after", observations only where they moved. */
export function recorded(calibrations: readonly Calibration[]): {
  readonly calibration: Readonly<Record<string, string>>;
  readonly observations?: Readonly<Record<string, string>>;
} {
  const calibration = calibrations.map((one) => [one.source, calibrationText(one.before, one.after)]);
  const counted = calibrations
    .filter(({ observations }) => observations.before !== observations.after)
    .map(({ source, observations }) => [source, calibrationText(observations.before, observations.after)]);
  const observations = counted.length === 0 ? {} : { observations: Object.fromEntries(counted) };
  return { calibration: Object.fromEntries(calibration), ...observations };
}
