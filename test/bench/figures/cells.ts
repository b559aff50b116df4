import type { Aim, Row, Unit } from './row.ts';

/** The columns of a report for people. */
export const HEAD = ['what', 'measured', 'floor', 'ratio', 'goal', 'rounds'] as const;

/** Returns the cells of a row, one for each column. */
export function cellsOf(row: Row): string[] {
  const { what, unit, measured, floor, ratio, aim, met, rounds, remark } = row;
  const found = measured === null ? '–' : spread(measured, unit);
  return [
    what,
    remark === null ? found : `${found}, ${remark}`,
    floor === null ? '' : `${floor.of} ${spread(floor, unit)}`,
    ratio === null ? '' : spread(ratio, '×'),
    aim === null ? '' : `${aimText(aim, row)}${met === false ? ': NO' : ''}`,
    String(rounds),
  ];
}

/** Returns a row's figure, with its ratio if the goal is about that. Only the one that the goal is about has its range. */
export function figureText({ unit, measured, ratio, aim, remark }: Row): string {
  if (measured === null) return remark === null ? '–' : `–, ${remark}`;
  const isOfRatio = aim?.of === 'ratio';
  const found = isOfRatio ? withUnit(measured.value, unit) : spread(measured, unit);
  const times =
    ratio === null || aim?.of === 'value' ? '' : isOfRatio ? spread(ratio, '×') : withUnit(ratio.value, '×');
  return times === '' ? found : `${found}, ${times}`;
}

type Shown = { readonly value: number; readonly least: number; readonly greatest: number };

/** `12.3 ms (11.0–14.2)`: the value, and between which values it lay. */
function spread({ value, least, greatest }: Shown, unit: Unit | '×'): string {
  const said = withUnit(value, unit);
  return least === greatest ? said : `${said} (${digits(least)}–${digits(greatest)})`;
}

function aimText({ of, atMost }: Aim, { unit, floor }: Row): string {
  if (of === 'ratio') return `≤ ${atMost} ×`;
  const most = withUnit(atMost, unit);
  return of === 'value' ? `≤ ${most}` : `≤ ${most} more than ${floor?.of ?? 'the floor'}`;
}

function withUnit(value: number, unit: Unit | '×'): string {
  return unit === '' ? digits(value) : `${digits(value)} ${unit}`;
}

function digits(value: number): string {
  if (Number.isInteger(value) || value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
