/** A mail on the scripted server. */
export interface ScriptedMail {
  readonly uid: number;
  /** When it came in. */
  readonly at: Date;
  readonly bytes: Buffer;
  /** Its BODYSTRUCTURE and its parts, where a test asks for them. */
  readonly structure?: string;
  readonly parts?: Readonly<Record<string, string>>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A folder of the scripted server: mails with UIDs that only ever grow. */
export class ScriptedFolder {
  validity = 1;
  next = 1;
  modseq = 1;
  mails: ScriptedMail[] = [];

  /** Takes a mail in, and returns its UID. */
  add(text: string, at: Date = new Date(), more: Pick<ScriptedMail, 'structure' | 'parts'> = {}): number {
    const uid = this.next;
    this.mails.push({ uid, at, bytes: Buffer.from(text), ...more });
    this.next += 1;
    this.modseq += 1;
    return uid;
  }

  remove(uid: number): void {
    this.mails = this.mails.filter((mail) => mail.uid !== uid);
    this.modseq += 1;
  }

  status(name: string, hasModseq: boolean): string {
    const modseq = hasModseq ? ` HIGHESTMODSEQ ${this.modseq}` : '';
    return `* STATUS "${name}" (MESSAGES ${this.mails.length} UIDNEXT ${this.next} UIDVALIDITY ${this.validity}${modseq})\r\n`;
  }

  opening(): string {
    return [
      '* FLAGS (\\Seen)',
      `* ${this.mails.length} EXISTS`,
      `* OK [UIDVALIDITY ${this.validity}] ok`,
      `* OK [UIDNEXT ${this.next}] ok`,
      `* OK [HIGHESTMODSEQ ${this.modseq}] ok`,
      '',
    ].join('\r\n');
  }

  /** Answers `UID SEARCH` with a range of UIDs and a day. */
  search(query: string): string {
    const from = Number(/UID (\d+):\*/i.exec(query)?.[1] ?? 1);
    const [, day = '1', month = 'Jan', year = '1970'] = /SINCE (\d+)-(\w+)-(\d+)/i.exec(query) ?? [];
    const since = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day));
    const last = this.mails.at(-1)?.uid ?? 0;
    const found = this.mails.filter(({ uid, at }) => (uid >= from || uid === last) && at.getTime() >= since);
    return `* SEARCH${found.map(({ uid }) => ` ${uid}`).join('')}\r\n`;
  }

  /** Answers `UID FETCH` and `FETCH`. */
  fetch(range: string, items: string, byUid: boolean): Buffer {
    const asked = new Set(range.split(',').flatMap((one) => this.#numbers(one, byUid)));
    const rows = this.mails.map((mail, at) => ({ mail, seq: at + 1 }));
    const wanted = rows.filter(({ mail, seq }) => asked.has(byUid ? mail.uid : seq));
    return Buffer.concat(wanted.map(({ mail, seq }) => rowOf(mail, seq, items)));
  }

  #numbers(range: string, byUid: boolean): number[] {
    const last = byUid ? (this.mails.at(-1)?.uid ?? 0) : this.mails.length;
    const [from = 0, to = from] = range.split(':').map((end) => (end === '*' ? last : Number(end)));
    return Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
  }
}

function rowOf(mail: ScriptedMail, seq: number, items: string): Buffer {
  const parts = [Buffer.from(`UID ${mail.uid}`)];
  if (/RFC822\.SIZE/i.test(items)) parts.push(Buffer.from(`RFC822.SIZE ${mail.bytes.length}`));
  if (/INTERNALDATE/i.test(items)) parts.push(Buffer.from(`INTERNALDATE "${internalDate(mail.at)}"`));
  if (/BODYSTRUCTURE/i.test(items)) parts.push(Buffer.from(`BODYSTRUCTURE ${mail.structure ?? 'NIL'}`));
  for (const [, section = '', start, length] of items.matchAll(/BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?/gi)) {
    const whole = sectionOf(mail, section.toUpperCase());
    const from = Number(start ?? 0);
    const bytes = whole.subarray(from, from + Number(length ?? whole.length));
    const origin = start === undefined ? '' : `<${start}>`;
    parts.push(Buffer.concat([Buffer.from(`BODY[${section}]${origin} {${bytes.length}}\r\n`), bytes]));
  }
  const joined = parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(' '), part]));
  return Buffer.concat([Buffer.from(`* ${seq} FETCH (`), ...joined, Buffer.from(')\r\n')]);
}

function sectionOf({ bytes, parts }: ScriptedMail, section: string): Buffer {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  if (section === '') return bytes;
  if (section === 'HEADER') return bytes.subarray(0, end);
  return section === 'TEXT' ? bytes.subarray(end) : Buffer.from(parts?.[section] ?? '');
}

function internalDate(at: Date): string {
  const [day = '', month = '', year = '', time = ''] = at.toUTCString().slice(5).split(' ');
  return `${day}-${month}-${year} ${time} +0000`;
}
