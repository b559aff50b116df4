import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import type { DateOrigin } from '../../dates/origin.ts';
import { type TableRow, tableRows } from '../../forms/labels/table-rows.ts';
import type { Finding } from '../finding.ts';
import { dayClaim, denied, formFinding, type Place } from './claims.ts';
import { onlyDayIn } from './day.ts';

const CONFIDENCE = 0.75;

/** Returns until when the rows of tables with a column for it are to be paid. */
export function tableFindings(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  const { text, originAt } = event;
  return tableRows(text).flatMap((row) => {
    const day = row.kinds.includes('due') ? onlyDayIn(row.text, origin) : null;
    if (day === null) return [];
    const finding = formFinding(
      dayClaim(day, 'due'),
      CONFIDENCE,
      placeOf(row, text),
      'a table in the text says when it is due',
    );
    return [
      originAt !== null && day < originAt.slice(0, 10) ? denied(finding, 'the day lies before the mail') : finding,
    ];
  });
}

function placeOf({ text: row, start, kinds }: TableRow, text: string): Place {
  const references = kinds.includes('reference') ? [row] : [];
  return { text, start, end: start + row.length, around: row, references, isSubject: false };
}
