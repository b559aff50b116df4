import type { Channel } from '../channel.ts';
import { type Teller, toldBy } from './program-channel.ts';

/** Returns the channel of the screen in front of this machine. */
export function desktopChannel(own: Teller['own']): Channel {
  return {
    name: 'desktop',
    place: 'this screen',
    send: ({ title, text }, abort) =>
      toldBy(
        {
          // What begins with a hyphen is no option behind `--`; in the text, a desktop may show marks as HTML.
          argv: ['notify-send', '--app-name=steward', '--', title, withoutMarks(text)],
          own,
          more: {},
          input: '',
          name: 'notify-send',
          missing: 'Install it (libnotify-bin, or libnotify), or take STEWARD_NOTIFY_DESKTOP away.',
        },
        abort,
      ),
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
