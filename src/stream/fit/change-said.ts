import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { MailEffect } from '../trained/labels.ts';
import { changeIn, type Heard } from './heard.ts';
import type { Suggestion } from './suggestion.ts';

const REPLY = /^\s*(?:re|aw|sv|antw|rif|réf)\s*:/iu;
/** The addresses that machines write from. */
const MACHINE =
  /^(?:no-?_?reply|do-?not-?reply|notif|alert|info|service|support|help|hello|order|billing|booking|account|update|mail|news|team|kunden|rechnung|buchung|versand|contact|commande|reserva|pedido|ordini|klant|bestel)/iu;
const FIRST = 2;
const MANY_DENIED = 3;

/** A mail, and how likely it says each effect as a whole. */
interface MailSaid {
  readonly event: StreamEvent;
  readonly mailSays: Readonly<Record<MailEffect, number>>;
}

/** How surely a mail says a change of something, whatever it may be: the suggestions that say it, the surest first. */
export function changeSaid(
  suggestions: readonly [Suggestion, ...Suggestion[]],
  all: readonly Heard[],
  { event, mailSays }: MailSaid,
) {
  const [top, second] = suggestions;
  const { effect, heard } = top;
  const { effects, passage, at } = heard;
  const said = new Set(suggestions.map((each) => each.heard));
  const others = all.filter((other) => !said.has(other));
  const most = (of: (other: Heard) => number) => Math.max(0, ...others.map(of));
  return {
    always: 1,
    effect: logit(effects[effect]),
    mailEffect: logit(mailSays[effect]),
    mailNone: logit(mailSays.none),
    second: logit(second === undefined ? 0 : second.heard.effects[effect]),
    phrase: Math.max(...suggestions.map(({ isLearnt, finding }) => (isLearnt ? 0 : finding.rawConfidence))),
    isForm: Number(suggestions.some(({ finding }) => finding.phraseId.startsWith('form:'))),
    isDefeated: Number(heard.isDefeated),
    isCancelled: Number(effect === 'cancelled'),
    isMoved: Number(effect === 'moved'),
    none: effects.none,
    asks: effects.asks,
    otherEffect: changeIn(effects) - effects[effect],
    isSubject: Number(passage.isSubject),
    inSubject: Number(suggestions.some((each) => each.heard.passage.isSubject)),
    isFirst: Number(at <= FIRST),
    length: Math.log1p(passage.view.split(/\s+/).length),
    sentences: Math.log1p(all.length),
    isReply: Number(REPLY.test(event.subject)),
    isMachine: Number(MACHINE.test(event.from ?? '')),
    otherSupport: most((other) => changeIn(other.effects) - other.effects[effect]),
    lead: effects[effect] - most((other) => other.effects[effect]),
    denied: Math.min(MANY_DENIED, all.filter((other) => other.isDefeated).length),
    mailAsks: Math.max(0, ...all.map((other) => other.effects.asks)),
  };
}

function logit(likely: number): number {
  return Math.log((likely + 0.02) / (1.02 - likely));
}
