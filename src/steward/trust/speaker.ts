import type { SignalRecord } from '../../vault/index/record.ts';
import { sourceName } from '../../vault/source-names.ts';
import { type AuthenticationResult, TARGET_EVIDENCE, type TargetEvidence } from '../../vault/status-words.ts';
import { round4 } from '../gates-rounding.ts';
import { instinctOf } from '../learning/sources.ts';
import { parseLocalTime } from '../local-time.ts';
import { isOwnNote } from '../ports/own-notes.ts';
import type { Records, Seals } from '../ports.ts';

/** What it takes to tell who speaks in a signal. */
export interface TrustSpace extends Records, Seals {
  readonly context: Seals['context'] & { readonly settings: { readonly trusted_signal_sources: readonly string[] } };
}

/** Who speaks in a signal, and how far that can be believed. */
export interface Speaker {
  /** The source that is taught by what becomes of the signal. */
  readonly source: string;
  /** The channel that the signal came by. */
  readonly channel: string;
  /** The sender as its channel names them: an address, a counterparty; null where there is none. */
  readonly pattern: string | null;
  /**
   * Who wrote the signal note: the program itself (`own`), somebody whom the settings trust to speak for this source
   * (`trusted`), or anybody (`unknown`).
   */
  readonly writer: 'own' | 'trusted' | 'unknown';
  readonly vouched: AuthenticationResult;
  /** The server that vouches for the sender, or denies it. */
  readonly server: string | null;
  readonly evidence: readonly TargetEvidence[];
  readonly near: boolean;
  readonly endsMatter: boolean;
  /** How far the signal is believed, after its source's instinct. */
  readonly effectConfidence: number;
}

/**
 * Returns who speaks in a signal (contract, section 10). A note that the program did not write itself speaks for its
 * source only where the settings say so; then its target counts as a link. Else it is heard as `other`.
 */
export function speakerOf(space: TrustSpace, signal: SignalRecord): Speaker {
  const { fields } = signal;
  const { source_type: channel, pattern } = fields;
  if (isOwnNote(space, signal)) {
    return {
      ...{ source: sourceName(channel, pattern), channel, pattern, writer: 'own' },
      ...{ vouched: fields.authenticated, server: fields.authenticated_by },
      evidence: TARGET_EVIDENCE.filter((kind) => fields.target_evidence.includes(kind)),
      ...{ near: fields.target_near, endsMatter: fields.ends_matter, effectConfidence: fields.effect_confidence },
    };
  }
  const isTrusted = space.context.settings.trusted_signal_sources.some((one) => one === channel);
  if (!isTrusted) return anybody(space, signal);
  return {
    ...{ source: sourceName(channel, pattern), channel, pattern, writer: 'trusted', vouched: 'pass', server: null },
    ...{ evidence: ['link'], near: true, endsMatter: true, effectConfidence: fields.effect_confidence },
  };
}

/** The source of what nobody vouches for. */
const OTHER = 'other';

function anybody(space: TrustSpace, { fields }: SignalRecord): Speaker {
  const raw = fields.effect_confidence_raw ?? fields.effect_confidence;
  return {
    ...{ source: OTHER, channel: OTHER, pattern: null, writer: 'unknown', vouched: 'none', server: null },
    ...{ evidence: [], near: false, endsMatter: false },
    effectConfidence: round4(Math.min(raw, 1) * instinctOf(space, OTHER).confidence),
  };
}

/** Returns when what a signal tells of happened (epoch ms); null where its note does not say. */
export function sentAt({ fields }: SignalRecord): number | null {
  const written = fields.origin_at ?? fields.created;
  return written === null ? null : parseLocalTime(written);
}
