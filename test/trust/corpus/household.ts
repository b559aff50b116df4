import { matter, SELDOM, settings, task } from '../../support/notes.ts';
import type { Files } from '../../support/temp-vault.ts';
import { dayIn } from './days.ts';

/** The server that receives this household's mail: the only one whose word about a sender counts. */
export const HOME_SERVER = 'mx.home.example';

/** Whom the vault names, by the affair that names them. */
export const NAMED = {
  notary: 'lena@northgate-notary.example',
  bank: 'mortgages@brightbank.example',
  roofer: 'jonas@kupferdach.example',
  school: 'secretariat@ecole-tilleul.example',
  landlady: 'giulia@casa-lauri.example',
  insurer: 'reclamos@seguros-nube.example',
  boatyard: 'balie@werf-anker.example',
  club: 'clerk@quarry-club.example',
} as const;
export type Named = keyof typeof NAMED;

/** The names that the named senders go by. */
export const SHOWN: Readonly<Record<Named, string>> = {
  notary: 'Lena Northgate',
  bank: 'Bright Bank Mortgages',
  roofer: 'Jonas Kupferdach',
  school: 'École du Tilleul',
  landlady: 'Giulia Lauri',
  insurer: 'Seguros Nube',
  boatyard: 'Werf Anker',
  club: 'Quarry Club',
};

/** The tasks, by the word that the corpus calls them by. */
export const TASKS = {
  deposit: 'task/Pay the Alder Lane deposit.md',
  survey: 'task/Get the Alder Lane survey.md',
  mortgage: 'task/Sign the mortgage papers.md',
  roofBill: 'task/Rechnung KD-2093 bezahlen.md',
  scaffold: 'task/Gerüst bestellen.md',
  canteen: 'task/Inscrire Mina à la cantine.md',
  outing: 'task/Payer la sortie scolaire.md',
  caution: 'task/Pagare la caparra.md',
  keys: 'task/Consegnare le chiavi.md',
  damages: 'task/Enviar el informe de daños.md',
  payout: 'task/Cobrar la indemnización.md',
  mooring: 'task/Winterstalling betalen.md',
} as const;

/** The matters. Nothing is to be done under the club. */
export const MATTERS = {
  house: 'matter/House Alder Lane.md',
  roof: 'matter/Dachsanierung Lindenhof.md',
  school: 'matter/École du Tilleul.md',
  lease: 'matter/Appartamento via Lauri.md',
  claim: 'matter/Siniestro SN-7781.md',
  boat: 'matter/Sloep Waterhoen.md',
  club: 'matter/Quarry Club membership.md',
} as const;

/** What an item of the corpus is about, by its word. */
export const NOTES = { ...TASKS, ...MATTERS } as const;
export type NoteWord = keyof typeof NOTES;

/** Returns the name by which a link means a note. */
export function nameOf(note: NoteWord): string {
  return NOTES[note].replace(/^\w+\/|\.md$/g, '');
}

/** The matter that each named sender belongs to. */
export const AFFAIR_OF: Readonly<Record<Named, keyof typeof MATTERS>> = {
  ...{ notary: 'house', bank: 'house', roofer: 'roof', school: 'school' },
  ...{ landlady: 'lease', insurer: 'claim', boatyard: 'boat', club: 'club' },
};

/** Returns the vault that everything in the corpus arrives in. Nothing in it has been learnt yet. */
export function household(): Files {
  const { house, roof, school, lease, claim, boat, club } = MATTERS;
  return {
    'steward.md': settings({
      ...{ trusted_mail_servers: [HOME_SERVER], trusted_signal_sources: [], settle_seconds: 0 },
      ...{ default_schedule: SELDOM, budget_usd_per_day: 1000 },
    }),
    [house]: matter({ senders: [NAMED.notary, NAMED.bank], aliases: ['Alder Lane'], summary: 'Buying 14 Alder Lane' }),
    [roof]: matter({ senders: [NAMED.roofer], aliases: ['Lindenhof'], summary: 'Das Dach wird neu gedeckt' }),
    [school]: matter({ senders: [NAMED.school], summary: 'Mina va à l’école' }),
    [lease]: matter({ senders: [NAMED.landlady], aliases: ['via Lauri'], summary: 'Affitto da gennaio' }),
    [claim]: matter({ senders: [NAMED.insurer], keywords: ['SN-7781'], summary: 'La fuga de agua en la cocina' }),
    [boat]: matter({ senders: [NAMED.boatyard], aliases: ['Waterhoen'], summary: 'De sloep in de winter' }),
    [club]: matter({ senders: [NAMED.club], aliases: ['Quarry Club'], summary: 'Membership of the climbing club' }),
    [TASKS.deposit]: under('House Alder Lane', ['NG-4471', 'deposit']),
    [TASKS.survey]: under('House Alder Lane', ['survey']),
    [TASKS.mortgage]: under('House Alder Lane', ['mortgage papers']),
    [TASKS.roofBill]: under('Dachsanierung Lindenhof', ['KD-2093']),
    [TASKS.scaffold]: under('Dachsanierung Lindenhof', ['Gerüst']),
    [TASKS.canteen]: under('École du Tilleul', ['cantine']),
    [TASKS.outing]: under('École du Tilleul', ['sortie scolaire']),
    [TASKS.caution]: under('Appartamento via Lauri', ['caparra']),
    [TASKS.keys]: under('Appartamento via Lauri', ['chiavi']),
    [TASKS.damages]: under('Siniestro SN-7781', ['informe de daños']),
    [TASKS.payout]: under('Siniestro SN-7781', ['indemnización']),
    [TASKS.mooring]: under('Sloep Waterhoen', ['winterstalling']),
  };
}

function under(matterName: string, keywords: readonly string[]): string {
  return task({ parent_matter: `[[${matterName}]]`, keywords, due: dayIn(9) });
}
