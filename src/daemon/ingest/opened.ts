import type { StreamEvent } from '../../steward/ports.ts';
import type { Identity, ItemKind } from '../../stream/items.ts';
import type { StreamRead } from '../context/remembered/stream-read.ts';

/** The form in which a stream file was opened: its size, its time, the SHA-256 of its bytes, and when (epoch ms). */
export type FileForm = Pick<StreamRead, 'size' | 'mtimeMs' | 'sha256' | 'at'>;

/** A stream file without an event for the vault, and why: it was skipped or refused; `tried`: not understood by that reader. */
export type EventlessStream = { readonly kind: 'none'; readonly form: FileForm } & Pick<
  StreamRead,
  'skipped' | 'refused' | 'tried'
>;

/**
 * An event, with the form of the file that holds it. Of an event in a file that holds many the form is its own: the hash
 * is that of its identity. It keeps the parsed event, which is cut to a few pages, and no bytes.
 */
export interface EventStream {
  readonly kind: 'event';
  readonly event: StreamEvent;
  readonly form: FileForm;
  readonly identity: Identity;
  /** The appointments that a mail carries, each under a path of its own; absent where there are none. */
  readonly within?: readonly EventStream[];
}

/** A file that holds many events. */
export interface ItemStream {
  readonly kind: 'items';
  readonly file: string;
  readonly itemKind: ItemKind;
}

export type OpenedStream = EventStream | EventlessStream | ItemStream;
