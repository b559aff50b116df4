import path from 'node:path';
import type { Channel } from '../channel.ts';
import { type Teller, toldBy } from './program-channel.ts';

/** Returns the channel of a program of a person's own. It is started without a shell, and told by its input and variables. */
export function commandChannel(argv: readonly string[], own: Teller['own']): Channel {
  const name = path.basename(argv[0] ?? '');
  return {
    name: 'command',
    place: name,
    send: (message, abort) => {
      const json = JSON.stringify(message);
      const { title, text, link } = message;
      return toldBy(
        {
          argv,
          own,
          more: {
            STEWARD_MESSAGE: json,
            STEWARD_MESSAGE_TITLE: title,
            STEWARD_MESSAGE_TEXT: text,
            STEWARD_MESSAGE_LINK: link,
          },
          input: `${json}\n`,
          name,
          missing: 'STEWARD_NOTIFY_COMMAND must name a program that may be run, by its whole path.',
        },
        abort,
      );
    },
  };
}
