import { z } from 'zod';

const MOST_PIECES = 2000;
const number = z.union([z.number(), z.string().max(40)]).transform(String);
const piece = z.union([z.string(), z.object({ type: z.string().default(''), text: z.string().default('') })]);

/** One entry in the list of messages of a Telegram export. */
export const telegramMessage = z.object({
  id: number.optional(),
  type: z.string().optional(),
  date: z.string().max(60).optional(),
  date_unixtime: number.optional(),
  edited: z.string().max(60).optional(),
  edited_unixtime: number.optional(),
  from: z.string().nullish(),
  from_id: number.nullish(),
  forwarded_from: z.string().nullish(),
  forwarded_from_id: number.nullish(),
  via_bot: z.string().nullish(),
  text: z.union([z.string(), z.array(piece).max(MOST_PIECES)]).default(''),
});
export type TelegramMessage = z.infer<typeof telegramMessage>;

/** What is shown as somebody else's words, or as none. */
const CARRIED = new Set(['blockquote', 'pre', 'code', 'strikethrough']);

/** Returns the words of a message, and apart from them what is quoted, code, or struck out. */
export function wordsOfMessage({ text }: TelegramMessage): { text: string; carried: readonly string[] } {
  const pieces = typeof text === 'string' ? [text] : text;
  const isCarried = (one: (typeof pieces)[number]) => typeof one !== 'string' && CARRIED.has(one.type);
  const textOf = (one: (typeof pieces)[number]) => (typeof one === 'string' ? one : one.text);
  return {
    text: pieces.map((one) => (isCarried(one) ? ' ' : textOf(one))).join(''),
    carried: pieces.filter(isCarried).map(textOf),
  };
}
