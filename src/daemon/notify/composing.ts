import path from 'node:path';
import type { NotifyAccess } from '../../notify/access.ts';
import { digestMessage } from '../../steward/notify/digest-text.ts';
import { messageOf } from '../../steward/notify/message.ts';
import { isOpen, keyOf, type News } from '../../steward/notify/news.ts';
import { isSpent } from '../../steward/notify/pace.ts';
import type { Policy } from '../../steward/notify/policy.ts';
import type { WriteAccess } from '../context/ports.ts';
import { digestNow, waitingNow } from './current.ts';
import { deedOf } from './deeds.ts';
import type { Links } from './links.ts';
import type { Composer } from './sender.ts';

interface ComposingParts {
  readonly space: WriteAccess & Parameters<typeof waitingNow>[0];
  readonly access: NotifyAccess;
  readonly links: () => Links | null;
  readonly policy: () => Policy;
}

/** Returns the name by which Obsidian knows a vault: that of its folder. */
export function vaultName(root: string): string {
  return path.basename(root);
}

/** Makes messages of what stands at the moment in which they are sent. */
export function composerFor({ space, access, links, policy }: ComposingParts): Composer {
  const vault = vaultName(space.vault.root);
  const { catalogue } = space.vault;
  return {
    message(news) {
      const now = space.context.now();
      const entries = new Map(waitingNow(space).map((entry) => [keyOf(entry), entry]));
      const told = news.filter((one) => (isOpen(one.kind) ? entries.has(one.key) : isStillDone(space, one)));
      const ground = {
        vault,
        now,
        quotes: access.quotes,
        last: isSpent(space.context.state.get('notify'), policy(), now) ? lastWords(policy()) : null,
        actions: (one: News) => links()?.actionsFor(one, entries.get(one.key) ?? null) ?? [],
        pathOf: (event: string) => catalogue.named(event)[0]?.path ?? null,
      };
      const message = messageOf(told, ground);
      return message === null ? null : { message, told };
    },
    digest: (since) => digestMessage(digestNow(space, since), vault),
  };
}

function isStillDone(space: WriteAccess, { event }: News): boolean {
  return event !== null && space.vault.catalogue.named(event).some((record) => deedOf(space, record) !== null);
}

function lastWords({ digestAt }: Policy): string {
  if (digestAt === null) return 'No more messages today; the rest is in `steward inbox`.';
  const [hour, minute] = [Math.floor(digestAt / 60), digestAt % 60].map((part) => String(part).padStart(2, '0'));
  return `No more messages today; the rest comes with the digest at ${hour}:${minute}.`;
}
