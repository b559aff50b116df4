import type { ItemKind } from './items.ts';

const LIST = /"messages"\s{0,40}:\s{0,40}\[|"chats"\s{0,40}:\s{0,40}\{/;
const CHAT =
  /"type"\s{0,40}:\s{0,40}"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"|"date_unixtime"\s{0,40}:|"personal_information"\s{0,40}:/;

/** Exports of Telegram Desktop in JSON: `result.json`, of one chat or of all. */
export const TELEGRAM: ItemKind = {
  name: 'telegram',
  version: 1,
  title: 'a Telegram export (JSON)',
  sourceType: 'other',
  takes: (file) => /\.json$/i.test(file),
  recognises: (head) => {
    const text = new TextDecoder().decode(head);
    return CHAT.test(text) && (LIST.test(text) || /"personal_information"/.test(text));
  },
  isAppended: false,
  load: async () => (await import('./telegram-reader.ts')).readTelegram,
};
