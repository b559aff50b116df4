import fs from 'node:fs';
import path from 'node:path';
import { numberedMail } from '../../support/mailbox.ts';
import { atMostTimes, onceRow, type Row, rowOf } from '../figures/row.ts';
import { interleaved } from '../figures/samples.ts';
import { child, processMs, STEWARD } from '../processes/child.ts';
import { taskPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_RATIO = 10;
const MAX_REHEARSAL_S = 30;

/** What people hand in at once: a long statement of an account, and their past mail for a rehearsal. */
export async function measureBulk(bench: Bench): Promise<Row[]> {
  return [await statementRow(bench), rehearsalRow(bench)];
}

/** `steward import --dry-run` of a statement, beside csv-parse alone on the same file. */
async function statementRow({ home, isQuick, vaults }: Bench): Promise<Row> {
  const lines = isQuick ? 2_000 : 50_000;
  const vault = vaults.named('statement', 1_000);
  const file = path.join(home, 'statement.csv');
  fs.writeFileSync(file, statement(lines));
  const found = await interleaved(isQuick ? 1 : 3, {
    read: () => processMs(home, [STEWARD, 'import', file, '--dry-run', '--vault', vault]),
    parsed: () => child<number>(home, 'peers/parse-csv.ts', file),
  });
  return rowOf({
    id: 'bulk.csv',
    what: `a statement of ${lines.toLocaleString('en')} lines read`,
    measured: found.read,
    floor: { of: 'csv-parse', samples: found.parsed },
    aim: atMostTimes(MAX_RATIO),
  });
}

/** 130 lines a day, of 700 payees. */
function statement(lines: number): string {
  const rows = Array.from({ length: lines }, (_, nth) => {
    const at = new Date(Date.now() - Math.floor((lines - nth) / 130) * DAY_MS).toISOString();
    const day = `${at.slice(8, 10)}/${at.slice(5, 7)}/${at.slice(0, 4)}`;
    return `${day},Payee ${nth % 700} Example Ltd,${(10 + ((nth * 7919) % 90_000) / 100).toFixed(2)},,`;
  });
  return `Date,Details,Debit,Credit,Balance\n${rows.join('\n')}\n`;
}

/** `steward rehearse` on 3,000 mails of the last months, in a vault with 100 open tasks, without a model. */
function rehearsalRow({ home, isQuick, vaults }: Bench): Row {
  const mails = isQuick ? 100 : 3_000;
  const vault = vaults.named('rehearsed', { matters: 6, tasks: 125, signals: 0, events: 0, others: 0 });
  const folder = path.join(home, 'past-mails');
  fs.mkdirSync(folder, { recursive: true });
  for (let nth = 0; nth < mails; nth += 1) fs.writeFileSync(path.join(folder, `${nth}.eml`), pastMail(nth, mails));
  const ms = processMs(home, [STEWARD, 'rehearse', folder, '--vault', vault]);
  const what = `steward rehearse with ${mails.toLocaleString('en')} mails of 5 to 45 lines, 100 open tasks`;
  return onceRow('bulk.rehearsal', what, ms / 1000, { unit: 's', aim: { of: 'value', atMost: MAX_REHEARSAL_S } });
}

/** Every third mail says something of a task; the others talk of other things. */
function pastMail(nth: number, mails: number): string {
  const task = path.posix.basename(taskPath(Math.floor((nth % 100) / 4) * 5 + (nth % 4)), '.md');
  const news = nth % 3 === 0 ? `The due date of ${task} has moved.` : `Here is what we talked about on the phone.`;
  const talk = Array.from(
    { length: 5 + (nth % 41) },
    (_, line) => `${TALK[(nth + line * 7) % TALK.length]} (${line}).`,
  );
  return numberedMail(nth, Date.now() - 90 * DAY_MS + (nth * 85 * DAY_MS) / mails)
    .replace(/^Subject: .*$/m, `Subject: ${nth % 3 === 0 ? task : `letter ${nth}`}`)
    .replaceAll(/this is letter \d+\./g, `${news}\n${talk.join('\n')}`);
}

const TALK = [
  'We looked at the plans again, and the second one fits better',
  'The weather should be good at the weekend',
  'My colleague will be back in the office next week',
  'Please find the minutes of the last meeting attached',
  'The train was late, so we began without the others',
  'There is a new café around the corner that you may like',
  'I will write again as soon as I hear from them',
  'The samples are on the table in the hall',
  'Nobody has asked about the old version since March',
];
