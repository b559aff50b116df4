import type { LinkDesk, Pressed, Preview } from '../../notify/links/link-desk.ts';
import type { LinkClaim } from '../../notify/links/link-token.ts';
import { plainLine, titleOf, titleOfLink, withDays } from '../../steward/notify/words.ts';
import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { type Answer, isDone } from '../../undo/order.ts';
import { previewUndo } from '../../undo/undo.ts';
import { awayRefusal, StewardError } from '../../vault/errors.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { changeLine } from '../../vault/notes/note-text.ts';
import { answerAll, undoAll } from '../answers/answer-all.ts';
import { previewAnswer } from '../answers/answer-proposal.ts';
import { targetPath } from '../context/event-target.ts';
import type { WriteAccess } from '../context/ports.ts';

const GONE = 'What it was about is no longer there, or was changed by somebody else.';
const MAX_CHANGE = 300;

/** Returns the desk at which links in messages are answered: by the functions of the commands, on the program's own events alone. */
export function linkDesk(space: WriteAccess): LinkDesk {
  const { state } = space.context;
  const keep = (used: Record<string, number>) => {
    state.set('notify', { ...state.get('notify'), used });
    state.save('notify');
  };
  return {
    preview: (claim) => previewOf(space, claim),
    use(id, until) {
      const { used } = state.get('notify');
      if (used[id] !== undefined) return false;
      keep({ ...used, [id]: until });
      return true;
    },
    giveBack(id) {
      const { [id]: _, ...others } = state.get('notify').used;
      keep(others);
    },
    press: (claim) => pressed(space, claim),
  };
}

function previewOf(space: WriteAccess, claim: LinkClaim): Preview {
  const event = ownEvent(space, claim);
  if (event === null) return { isOpen: false, reason: GONE };
  const would = wouldDo(space, event, claim);
  if (!isDone(would)) return { isOpen: false, reason: plainLine(would.message, MAX_CHANGE) };
  const { change, changes } = event.fields;
  const line = plainLine(withDays(change ?? changeLine(changes) ?? '', space.context.now()), MAX_CHANGE);
  const target = targetPath(space.vault, event);
  const chosen = claim.choose === null ? null : titleOfLink(claim.choose);
  return { isOpen: true, title: chosen ?? (target === null ? 'Steward' : titleOf(target)), change: line };
}

function wouldDo(space: WriteAccess, event: EventRecord, { answer, choose }: LinkClaim): Answer {
  return answer === 'undo' ? previewUndo(space, event, false) : previewAnswer(space, { kind: answer, event, choose });
}

async function pressed(space: WriteAccess, claim: LinkClaim): Promise<Pressed> {
  try {
    await space.vault.sweep(); // on the vault as it is now, as a command does it
    if (space.vault.away !== null) throw awayRefusal(space.vault.away);
    // A message shows what the program itself had written. What somebody has changed since is not what was agreed to.
    if (ownEvent(space, claim) === null) return { isDone: false, mayRetry: false, message: GONE };
    const [given] = await answered(space, claim);
    if (given === undefined) return { isDone: false, mayRetry: false, message: GONE };
    return { isDone: isDone(given), mayRetry: given.until !== null, message: plainLine(given.message, MAX_CHANGE) };
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return { isDone: false, mayRetry: true, message: plainLine(error.message, MAX_CHANGE) };
  }
}

function answered(space: WriteAccess, { event, answer, choose }: LinkClaim): Promise<Answer[]> {
  const asked = { events: [event], dryRun: false, by: 'link' as const };
  if (answer === 'undo') return undoAll(space, { ...asked, last: null, reason: null, force: false });
  return answerAll(space, { ...asked, kind: answer, choose });
}

function ownEvent(space: WriteAccess, { event }: LinkClaim): EventRecord | null {
  const found = space.vault.catalogue.resolve(event, ['event']);
  return found?.kind === 'event' && found.name === event && isKnownNote(space, found) ? found : null;
}
