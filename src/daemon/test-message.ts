import type { Channel, Sent } from '../notify/channel.ts';
import { type ChannelName, obsidianLink } from '../steward/notify.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { vaultName } from './messages.ts';

/** What came of a message to each channel (`notify test --json`). */
export interface NotifyTest {
  readonly schemaVersion: 1;
  readonly channels: readonly TestedChannel[];
}

interface TestedChannel {
  readonly channel: ChannelName;
  /** A host, a program; never a topic. */
  readonly place: string;
  readonly ok: boolean;
  readonly message: string | null;
  readonly hint: string | null;
}

/** Sends one message to each channel at once, and returns what came of it. */
export async function testChannels(
  channels: readonly Channel[],
  root: string,
  abort: AbortSignal,
): Promise<NotifyTest> {
  const vault = vaultName(root);
  const message = {
    title: 'A test of your steward',
    text: 'Messages arrive here. Nothing in your vault was changed.',
    link: obsidianLink(vault, SETTINGS_FILE),
    actions: [],
    events: [],
  };
  const tested = await Promise.all(
    channels.map(async (channel) => resultOf(channel, await channel.send(message, abort))),
  );
  return { schemaVersion: 1, channels: tested };
}

function resultOf({ name, place }: Channel, sent: Sent): TestedChannel {
  if (sent.ok) return { channel: name, place, ok: true, message: null, hint: null };
  return { channel: name, place, ok: false, message: sent.message, hint: sent.hint };
}
