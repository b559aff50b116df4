/** How the program itself begins what it writes in a person's place: `‎image omitted`, `‎You deleted this message.` */
const BY_PROGRAM = /^[\u200E\u200F]/;
/** `<Media omitted>`, in whatever language. */
const PLACEHOLDER = /^<[^<>\n]{3,60}>$/;
/** `‎<This message was edited>`, `‎<attached: 00000012-PHOTO.jpg>`, at the end of a message. */
const MARK_BEHIND = /[\u200E\u200F]?<[^<>\n]{3,200}>$/;
/** `IMG-20350120-WA0001.jpg (file attached)`, with the caption in the lines behind it. */
const ATTACHED = /^[^\s()]{1,120}\.[a-z0-9]{2,5} \([^()\n]{3,40}\)(?:\n|$)/i;
const DELETED =
  /^(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|ce message a été supprimé|vous avez supprimé ce message|(?:se eliminó este mensaje|eliminaste este mensaje)|dit bericht (?:is|werd) verwijderd|questo messaggio è stato eliminato|(?:esta )?mensagem apagada|null|missed (?:voice|video) call)\.?$/i;

/** Returns what a person wrote in a message; empty where it is the program's: a picture that was left out, a deleted message. */
export function personsWords(text: string): string {
  if (BY_PROGRAM.test(text)) return '';
  const trimmed = text.trimEnd();
  if (PLACEHOLDER.test(trimmed)) return '';
  const words = trimmed.replace(MARK_BEHIND, '').replace(ATTACHED, '').trim();
  return DELETED.test(words) ? '' : words;
}
