import type { StreamReader } from '../daemon/context.ts';
import type { Settings } from '../steward/settings.ts';
import { sha256 } from '../vault/note-text.ts';
import { listDateOrders, nameColumns } from './bank-columns.ts';
import { CHAT_IN_ZIP, firstLine, looksSpoken } from './chat-lines.ts';
import { writtenAmount } from './money.ts';
import { decodeAscii, isMailFile, isPostmark, NOBODY, type StreamKind } from './stream.ts';
import { namesInZip } from './zip.ts';

const DELIMITERS = [';', ',', '\t', '|'];
const MOST_LINES = 80;
const MOST_LINE = 4000;

/**
 * Whether a file begins like a bank's table: with the names of columns for a date and for sums, or with a row that has a
 * date and a sum. It takes the head apart roughly, so that nothing has to be loaded for it.
 */
function looksLikeBankCsv(head: Uint8Array): boolean {
  const text = roughText(head);
  if (text === null) return false;
  const lines = text.split(/\r\n?|\n/, MOST_LINES).map((line) => line.slice(0, MOST_LINE));
  return lines.some((line) => DELIMITERS.some((delimiter) => isOfBank(line.split(delimiter).map(unquoted))));
}

/** Null if it is not a text. */
function roughText(head: Uint8Array): string | null {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide) return new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(head);
  return head.includes(0) ? null : new TextDecoder().decode(head);
}

function unquoted(cell: string): string {
  return cell.replace(/^[\s"'=]+/, '').replace(/(?<![\s"'])[\s"']+$/, '');
}

function isOfBank(cells: readonly string[]): boolean {
  if (cells.length < 3) return false;
  const roles = new Set(nameColumns(cells).flatMap((column) => column.roles));
  const hasDate = roles.has('booked') || roles.has('dated') || roles.has('valued');
  if (hasDate && (roles.has('amount') || roles.has('debit') || roles.has('credit'))) return true;
  const date = cells.findIndex((cell) => listDateOrders(cell).length > 0);
  return (
    date !== -1 && cells.some((cell, nth) => nth !== date && /\d[.,]\d/.test(cell) && writtenAmount(cell) !== null)
  );
}

/** The bookings of an account, as banks export them for spreadsheets. */
export const BANK_CSV: StreamKind = {
  name: 'bank-csv',
  title: 'a bank statement (CSV)',
  sourceType: 'bank',
  takes: (file) => /\.(?:csv|tsv)$/i.test(file),
  recognises: looksLikeBankCsv,
  load: async () => (await import('./bank-csv.ts')).readBankCsv,
};

const NAME = /\.(?:ics|ical|icalendar)$/i;
/** How a calendar begins, in any charset that its bytes may be in: those between the letters are of UTF-16. */
const BEGIN = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*B\0?E\0?G\0?I\0?N\0?:\0?V\0?C\0?A\0?L\0?E\0?N\0?D\0?A\0?R/i;

/** The appointments of a calendar in the format of iCalendar. */
export const CALENDAR: StreamKind = {
  name: 'icalendar',
  title: 'a calendar (iCalendar)',
  sourceType: 'calendar',
  takes: (file) => NAME.test(file),
  recognises: (head) => BEGIN.test(Buffer.from(head.subarray(0, 4096)).toString('latin1')),
  load: async () => (await import('./ics.ts')).readCalendar,
};

/** Account reports, statements and notifications of ISO 20022: camt.052, camt.053 and camt.054. */
export const CAMT: StreamKind = {
  name: 'camt',
  title: 'a bank statement (CAMT)',
  sourceType: 'bank',
  takes: (file) => /\.(?:xml|camt|c5[234])$/i.test(file),
  recognises: (head) => /urn:iso:std:iso:20022:tech:xsd:camt\.05[234]\./.test(decodeAscii(head)),
  load: async () => (await import('./camt.ts')).readCamt,
};

/** Notes in Markdown below the stream folder: web clippings, and notes that another program drops there. */
const CLIPPING: StreamKind = {
  name: 'clipping',
  title: 'a note or web clipping (Markdown)',
  sourceType: 'other',
  takes: (file) => /\.(?:md|markdown)$/i.test(file),
  recognises: (head) => !head.includes(0),
  load: async () => (await import('./clipping.ts')).readClipping,
};

/** Exports of a Matrix room in JSON, as Element writes them. */
const MATRIX: StreamKind = {
  name: 'matrix',
  title: 'a Matrix room (JSON)',
  sourceType: 'other',
  takes: (file) => /\.json$/i.test(file),
  recognises: (head) => {
    const text = decodeText(head);
    return /"(?:messages|chunk|events)"/.test(text) && /"(?:room_name|origin_server_ts)"\s{0,40}:/.test(text);
  },
  load: async () => (await import('./matrix.ts')).readMatrix,
};

/** How much of a file is looked at to know it. */
const HEAD = 64 * 1024;
const MAILBOX_NAME = /(?:^|\/)(?:[^/]*\.mbo?x(?:[.-]\d{1,5})?|[^/.]+)$/i;

/** A mailbox: one mail after the other, as Thunderbird, Apple Mail, mutt, many servers and Google Takeout write it. */
export const MBOX: StreamKind = {
  name: 'mbox',
  title: 'a mailbox (mbox)',
  sourceType: 'mail',
  takes: (file) => MAILBOX_NAME.test(file) && !isMailFile(file),
  recognises: (head) => {
    const start = head.findIndex((byte, nth) => byte !== 0x0a && byte !== 0x0d && byte !== BOM[nth]);
    return start < 0 || isPostmark(head.subarray(start), head.length < HEAD);
  },
  isAppended: true,
  load: async () => (await import('./mbox.ts')).readMailbox,
};

const BOM = [0xef, 0xbb, 0xbf];

/** Statements of SWIFT, MT940, as they come from banks all over Europe. */
export const MT940: StreamKind = {
  name: 'mt940',
  title: 'a bank statement (MT940)',
  sourceType: 'bank',
  takes: (file) => /\.(?:sta|mt940|940|swi|txt)$/i.test(file),
  recognises: (head) => {
    const text = decodeAscii(head);
    return text.includes(':20:') && /(?:^|[\r\n]):60[FM]:[CD]\d{6}[A-Z]{3}/.test(text);
  },
  load: async () => (await import('./mt940.ts')).readMt940,
};

/** Statements of bank accounts and credit cards as OFX, which Quicken calls QFX. */
export const OFX: StreamKind = {
  name: 'ofx',
  title: 'a bank statement (OFX)',
  sourceType: 'bank',
  takes: (file) => /\.(?:ofx|qfx)$/i.test(file),
  recognises: (head) => /<(?:[A-Za-z\d]{1,20}:)?OFX[\s>]/i.test(decodeAscii(head)),
  load: async () => (await import('./ofx.ts')).readOfx,
};

const SHAPES: readonly (readonly RegExp[])[] = [
  // sigexport: one message a line
  [/^\s{0,20}\{\s{0,4}"date"\s{0,4}:/, /"sender"\s{0,4}:/, /"body"\s{0,4}:/],
  // sigtop: a list of messages as Signal keeps them
  [/^\s{0,20}\[/, /"sent_at"\s{0,4}:/, /"conversationId"\s{0,4}:/],
  // signal-cli: what it received, one a line
  [/^\s{0,20}\{/, /"envelope"\s{0,4}:/, /"(?:sourceUuid|sourceNumber|source)"\s{0,4}:/],
];

/** Exports of Signal: those of sigexport (`data.json`), of sigtop, and what signal-cli received. */
const SIGNAL_CHAT: StreamKind = {
  name: 'signal',
  title: 'a Signal export (JSON)',
  sourceType: 'other',
  takes: (file) => /\.(?:json|jsonl|ndjson)$/i.test(file),
  recognises: (head) => SHAPES.some((shape) => hasAll(shape, decodeText(head))),
  load: async () => (await import('./signal-chat.ts')).readSignal,
};

const IN_EXPORT =
  /^(?:[^/]+\/)?(?:(?:users|org_users|channels|groups|dms|mpims|integration_logs|canvases|lists|huddle_transcripts|file_conversations)\.json|[^/]+\/\d{4}-\d\d-\d\d\.json)$/;

/** The export of a Slack workspace: a zip with one file a channel and day. */
const SLACK: StreamKind = {
  name: 'slack',
  title: 'a Slack export (zip)',
  sourceType: 'slack_channel',
  takes: (file) => /\.zip$/i.test(file),
  recognises: (head) => namesInZip(head).some((name) => IN_EXPORT.test(name)),
  load: async () => (await import('./slack.ts')).readSlack,
};

const DAY_OF_SLACK = [/^\s{0,20}\[/, /"type"\s{0,4}:\s{0,4}"message"/, /"ts"\s{0,4}:\s{0,4}"\d{1,12}\.\d{1,8}"/];

/** A file from the export of a Slack workspace: the messages of one channel on one day. */
const SLACK_DAY: StreamKind = {
  name: 'slack-day',
  title: 'a day of a Slack channel (JSON)',
  sourceType: 'slack_channel',
  takes: (file) => /\.json$/i.test(file),
  recognises: (head) => hasAll(DAY_OF_SLACK, decodeText(head)),
  load: async () => (await import('./slack.ts')).readSlackDay,
};

const VEXA_MARKS = [/"native_meeting_id"\s{0,4}:/, /"platform"\s{0,4}:/];

/** A meeting that a bot of Vexa transcribed: the answer of its `/transcripts` endpoint. */
const VEXA: StreamKind = {
  name: 'vexa',
  title: 'a transcript of Vexa (JSON)',
  sourceType: 'vexa',
  takes: (file) => /\.json$/i.test(file),
  recognises: (head) => hasAll(VEXA_MARKS, decodeText(head)),
  load: async () => (await import('./transcript.ts')).readVexa,
};

const TIMES = /\d{1,2}:\d{2}[.,:]\d{2,3}[ \t]{0,8}-->/;

/** Subtitles and transcripts with times: `.vtt`, `.srt`. */
const SUBTITLES: StreamKind = {
  name: 'subtitles',
  title: 'subtitles or a transcript with times (vtt, srt)',
  sourceType: 'transcript',
  takes: (file) => /\.(?:vtt|srt)$/i.test(file),
  recognises: (head) => {
    const text = textOf(head);
    return /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/.test(text) || TIMES.test(text);
  },
  load: async () => (await import('./transcript.ts')).readSubtitles,
};

/** Half of the bytes of a text in UTF-16 are NUL: without them its marks are found as well. */
function textOf(head: Uint8Array): string {
  return decodeText(head)
    .replaceAll('\0', '')
    .replace(/^\uFFFD{1,2}/, '');
}

const LIST = /"messages"\s{0,40}:\s{0,40}\[|"chats"\s{0,40}:\s{0,40}\{/;
const CHAT =
  /"type"\s{0,40}:\s{0,40}"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"|"date_unixtime"\s{0,40}:|"personal_information"\s{0,40}:/;

/** Exports of Telegram Desktop in JSON: `result.json`, of one chat or of all. */
const TELEGRAM: StreamKind = {
  name: 'telegram',
  title: 'a Telegram export (JSON)',
  sourceType: 'other',
  takes: (file) => /\.json$/i.test(file),
  recognises: (head) => {
    const text = decodeText(head);
    return CHAT.test(text) && (LIST.test(text) || /"personal_information"/.test(text));
  },
  load: async () => (await import('./telegram.ts')).readTelegram,
};

/** Transcripts of meetings as text: `Anna: …`, `[00:12:03] Anna: …`, `Anna Weber  0:03`, the chats of Zoom. */
const TRANSCRIPT: StreamKind = {
  name: 'transcript',
  title: 'a transcript of a meeting (txt)',
  sourceType: 'transcript',
  takes: (file) => /\.txt$/i.test(file),
  recognises: (head) => looksSpoken(decodeText(head.subarray(0, 32 * 1024))),
  load: async () => (await import('./transcript.ts')).readTranscript,
};

const MEDIA_IN_ZIP = /(?:^|\/)(?:\d{8}-(?:photo|audio|video|sticker|gif)-|(?:img|vid|aud|ptt|stk|doc)-\d{8}-wa\d)/i;
const FIRST_LINES = 30;

/** Exports of WhatsApp chats: `_chat.txt`, `WhatsApp Chat with Anna.txt`, and their zips. */
const WHATSAPP: StreamKind = {
  name: 'whatsapp',
  title: 'a WhatsApp chat',
  sourceType: 'other',
  takes: (file) => /\.(?:txt|zip)$/i.test(file),
  recognises: (head) => isZipOfChat(head) || isChat(head),
  load: async () => (await import('./whatsapp.ts')).readWhatsApp,
};

function isZipOfChat(head: Uint8Array): boolean {
  return namesInZip(head).some((name) => CHAT_IN_ZIP.test(name) || MEDIA_IN_ZIP.test(name));
}

function isChat(head: Uint8Array): boolean {
  const lines = decodeText(head.subarray(0, 16 * 1024)).split('\n', FIRST_LINES);
  return lines.some((line) => firstLine(line) !== null);
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function hasAll(marks: readonly RegExp[], text: string): boolean {
  return marks.every((mark) => mark.test(text));
}

/** The kinds of file that contain many events. If several take a file, the first that recognises it reads it. */
export const STREAM_KINDS: readonly StreamKind[] = [
  ...[CALENDAR, MBOX],
  ...[OFX, CAMT, MT940, BANK_CSV],
  ...[WHATSAPP, SLACK, SLACK_DAY, TELEGRAM, SIGNAL_CHAT, MATRIX],
  ...[VEXA, SUBTITLES, TRANSCRIPT, CLIPPING],
];

/** Returns the kinds of file with many events that a file of this name may be of. */
export function kindsFor(file: string): readonly StreamKind[] {
  return STREAM_KINDS.filter((kind) => kind.takes(file));
}

/** Returns who reads a stream file, or null. */
export function findReader(readers: readonly StreamReader[], file: string): StreamReader | null {
  return readers.find((reader) => reader.takes(file)) ?? null;
}

/** Returns under which name it is remembered that a reader did not understand a file. */
export function readerName(reader: StreamReader | null): string {
  return reader === null ? NOBODY : `${reader.name}-${reader.version}`;
}

/** The settings by which a kind may read. */
type KindSettings = Pick<Settings, 'bank_formats'>;

// A bank's table is read by a setting as well: a file that was refused without it is read again after the setting has
// changed.
function kindName({ name, version = 1 }: StreamKind, { bank_formats }: KindSettings): string {
  const hasFormats = name === BANK_CSV.name && bank_formats.length > 0;
  return `${name}-${version}${hasFormats ? `-${sha256(bank_formats.join('\n')).slice(0, 8)}` : ''}`;
}

/** Returns under which name it is remembered who would read a file now: its reader, or the kinds that it may be of. */
export function triedBy(readers: readonly StreamReader[], file: string, settings: KindSettings): string {
  const kinds = kindsFor(file).map((kind) => kindName(kind, settings));
  const reader = findReader(readers, file);
  return reader === null && kinds.length > 0 ? kinds.join('+') : readerName(reader);
}

/** Whether a file that was not understood may be by now: there is a reader for it, or a newer version of the one that tried. */
export function isUnderstandableNow(
  readers: readonly StreamReader[],
  file: string,
  { tried }: { readonly tried: string | null },
  settings: KindSettings,
): boolean {
  const now = tried === null ? NOBODY : triedBy(readers, file, settings);
  return now !== NOBODY && now !== tried;
}
