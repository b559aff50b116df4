import { readGeneric } from '../../stream/generic.ts';
import { handedIn, identityOf } from '../../stream/handed-in.ts';
import type { MailDoor, ParsedMail } from '../../stream/parse-mail.ts';
import { diagnostic } from '../../vault/errors.ts';
import { localTime } from '../../vault/time.ts';
import type { Context } from '../context.ts';

/** What is dropped by hand speaks for no channel, whatever folder it lies in. */
const DROPPED = 'other';

/**
 * Reads an event in the form in which programs hand them in. Only what carries the program's mark, under that very name,
 * speaks as the source that handed it in.
 */
export function readFiled({ seal }: Context, file: string, bytes: Buffer, { sourceType }: MailDoor): ParsedMail {
  const filed = readGeneric(bytes, file, seal);
  if (typeof filed === 'string') return { ok: false, trouble: unreadable(file, filed) };
  const surroundings = { file, sourceType: filed.source === null ? DROPPED : sourceType, wallOf };
  return { ok: true, event: handedIn(filed, surroundings), identity: identityOf(filed, wallOf) };
}

function wallOf(moment: number): string {
  return localTime(moment).slice(0, 16);
}

function unreadable(file: string, message: string) {
  const hint = 'It stays where it is. docs/sources.md lists the fields of an event.';
  return diagnostic({ code: 'event-unreadable', file, message, hint });
}
