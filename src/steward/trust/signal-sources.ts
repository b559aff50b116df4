import type { TargetRecord } from '../../vault/index/record.ts';
import { channelOf, sourceKey } from '../../vault/source-names.ts';
import { matterOf } from './licence.ts';
import type { TrustSpace } from './speaker.ts';

/** The catalogue, without which nobody knows whose matter a note is. */
interface Matters {
  readonly vault: Pick<TrustSpace['vault'], 'catalogue'>;
}

/**
 * Returns why a source may not speak about a note at all, or null where it may: its matter says in `signal_sources` which
 * sources it hears, by channel or by channel and pattern, and this is none of them (contract, section 6).
 */
export function shutOut({ vault }: Matters, source: string, target: TargetRecord): string | null {
  const matter = matterOf(vault.catalogue, target);
  const heard = matter?.fields.signal_sources ?? [];
  const names = new Set([sourceKey(source), sourceKey(channelOf(source))]);
  if (matter === null || heard.length === 0 || heard.some((one) => names.has(sourceKey(one)))) return null;
  return `${matter.name} hears only ${heard.join(', ')} (signal_sources); ${source} is none of them.`;
}

/** Returns the sources of a `signal_sources` list whose channel nobody knows: they let nobody speak. */
export function unknownChannels(written: readonly string[], channels: Iterable<string>): string[] {
  const known = new Set([...channels].map(sourceKey));
  return written.filter((one) => !known.has(sourceKey(channelOf(one))));
}
