import { describe, expect, it } from 'vitest';
import { listParticiples } from '../../src/reading/own-verb.ts';
import { readByRules } from '../../src/reading/read-event.ts';
import { type TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import type { Language } from '../../src/reading/text.ts';
import type { ExtractorResult } from '../../src/steward/types.ts';
import { INCOMPLETE } from '../../src/vault/event-text.ts';
import { eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';

/** A task, and a plain sentence that says that it is done. */
const PLAIN: readonly (readonly [language: Language, task: string, sentence: string])[] = [
  ['en', 'Install the boiler', 'The boiler has been installed.'],
  ['en', 'Repaint the fence', 'The fence was repainted on Tuesday.'],
  ['en', 'Sweep the chimney', 'The chimney has now been swept.'],
  ['en', 'Return the projector', 'The projector has been returned.'],
  ['en', 'Pay the second instalment', 'The second instalment has been paid.'],
  ['de', 'Heizung entlüften', 'Die Heizung wurde heute entlüftet.'],
  ['de', 'Voranmeldung abgeben', 'Die Voranmeldung habe ich heute Morgen abgegeben.'],
  ['de', 'Fahrrad reparieren', 'Das Fahrrad ist jetzt repariert.'],
  ['de', 'Zählerstand ablesen', 'Der Zählerstand wurde gestern abgelesen.'],
  ['de', 'Dachrinne säubern', 'Die Dachrinne wurde gesäubert.'],
  ['fr', 'Repeindre le portail', 'Le portail a été repeint hier.'],
  ['fr', 'Réparer la chaudière', 'La chaudière a été réparée ce matin.'],
  ['fr', 'Vider la cave', 'La cave a été vidée.'],
  ['fr', 'Livrer le piano', 'Le piano a été livré.'],
  ['es', 'Podar el olivo', 'El olivo ha sido podado esta mañana.'],
  ['es', 'Instalar la caldera', 'La caldera ha sido instalada.'],
  ['es', 'Reparar el tejado', 'El tejado fue reparado ayer.'],
  ['es', 'Devolver el proyector', 'El proyector ha sido devuelto.'],
  ['nl', 'Schutting schilderen', 'De schutting is vandaag geschilderd.'],
  ['nl', 'Dakgoot schoonmaken', 'De dakgoot werd gisteren schoongemaakt.'],
  ['nl', 'Piano stemmen', 'De piano is gestemd.'],
  ['nl', 'Ketel vervangen', 'De ketel is vandaag vervangen.'],
  ['it', 'Riparare la caldaia', 'La caldaia è stata riparata stamattina.'],
  ['it', 'Potare la siepe', 'La siepe è stata potata.'],
  ['it', 'Tinteggiare la cucina', 'La cucina è stata tinteggiata.'],
  ['it', 'Verniciare il cancello', 'Il cancello è stato verniciato ieri.'],
];
/** Another deed than the task asks for, or one that is not done. */
const OTHER: readonly (readonly [task: string, sentence: string])[] = [
  ['Install the boiler', 'The boiler has not been installed.'],
  ['Install the boiler', 'The boiler will be installed on Friday.'],
  ['Install the boiler', 'Has the boiler been installed?'],
  ['Install the boiler', 'The radiator has been installed.'],
  ['Pay the second instalment', 'The first instalment has been paid.'],
  ['Voranmeldung abgeben', 'Die Voranmeldung wird morgen abgegeben.'],
  ['Voranmeldung abgeben', 'Morgen ist die Voranmeldung abgegeben.'],
  ['Pay the second instalment', 'The second instalment has been paid in part.'],
  ['Pay the second instalment', 'The second instalment has been paid, but the fee is still outstanding.'],
  ['Pay the fee', 'The second instalment of the fee has been paid.'],
  ['Dachrinne säubern', 'Die Dachrinne wurde noch nicht gesäubert.'],
  ['Réparer la chaudière', "La chaudière n'a pas été réparée."],
];

function read(task: string, sentence: string): ExtractorResult {
  const index = new TargetIndex();
  for (const name of [task, 'Book the ferry', 'Call the plumber']) index.add(candidate(name));
  const event = eventWith({ subject: 'News', text: `Hello,\n\n${sentence}\n\nRobin` });
  return readByRules(event, { index, learnt: LEARNT });
}

function proposed(task: string, sentence: string): readonly string[] {
  return read(task, sentence).meanings.flatMap(({ target, ambiguous, proposal }) =>
    ambiguous || proposal?.set.state !== 'done' ? [] : [target],
  );
}

function candidate(name: string): TargetCandidate {
  return {
    ...{ kind: 'task', path: `task/${name}.md`, name, matterPath: null, aliases: [], senders: [], keywords: [] },
    ...{ summary: '', state: 'open' },
  };
}

describe("a task's own verb", () => {
  it.each(PLAIN)('%s: %s: %s', (_, task, sentence) => {
    expect(proposed(task, sentence)).toEqual([`task/${task}.md`]);
  });

  it.each([
    ['Mietvertrag unterschreiben', 'Der Mietvertrag ist unterschrieben.'],
    ['Nebenkosten überweisen', 'Die Nebenkosten sind überwiesen.'],
  ])('in so few words, the trained reader agrees: %s: %s', (task, sentence) => {
    const { meanings } = read(task, sentence);
    expect(meanings.map(({ target, doubts = [] }) => [target, doubts.includes(INCOMPLETE.alone)])).toEqual([
      [`task/${task}.md`, false],
    ]);
  });

  it.each(OTHER)('is not said done: %s: %s', (task, sentence) => {
    expect(proposed(task, sentence)).toEqual([]);
  });

  it.each<readonly [Language, string, string]>([
    ['en', 'stop', 'stopped'],
    ['en', 'carry', 'carried'],
    ['en', 'rewrite', 'rewritten'],
    ['de', 'unterschreiben', 'unterschrieben'],
    ['de', 'einreichen', 'eingereicht'],
    ['de', 'ausschneiden', 'ausgeschnitten'],
    ['nl', 'maken', 'gemaakt'],
    ['nl', 'inpakken', 'ingepakt'],
    ['nl', 'installeren', 'geïnstalleerd'],
    ['fr', 'remplir', 'remplies'],
    ['fr', 'vendre', 'vendue'],
    ['es', 'escribir', 'escritas'],
    ['it', 'chiudere', 'chiusi'],
  ])('is formed by the rules of its language: %s %s, %s', (language, verb, participle) => {
    expect(listParticiples(verb, language)).toContain(participle);
  });
});
