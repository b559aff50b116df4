import { fold } from '../../../vault/note-names.ts';
import type { State } from '../../../vault/records/values.ts';

/** What a word for a state tells: the state, and which of several words for it a person would write first. */
interface Meaning {
  readonly state: State;
  /** Lower stands first: `open` before `in progress`, which is more than a task that was opened again. */
  readonly rank: number;
}

// English, German, French, Spanish, Italian, Dutch. What waits for somebody is open: that it is overdue is worth saying.
const OPEN = `open, to do, todo, backlog, next, new, active, planned, not started, inbox,
  offen, zu tun, neu, aktiv, geplant, nicht begonnen,
  à faire, ouvert, ouverte, nouveau, nouvelle, actif, active, prévu,
  por hacer, abierto, abierta, pendiente, nuevo, nueva, activo, activa, planificado,
  da fare, aperto, aperta, nuovo, nuova, attivo, attiva, pianificato,
  te doen, nieuw, actief, gepland`;
const DOING = `in progress, doing, wip, ongoing, started, working on it,
  in arbeit, in bearbeitung, läuft, laufend, begonnen, angefangen,
  en cours, commencé, commencée,
  en curso, en progreso, en proceso, empezado,
  in corso, iniziato, iniziata, in lavorazione,
  bezig, in behandeling, lopend`;
const WAITING = `waiting, waiting for, blocked, delegated, in review,
  warten, wartet, wartend, blockiert, delegiert,
  en attente, bloqué, bloquée, délégué,
  esperando, en espera, bloqueado, bloqueada, delegado,
  in attesa, bloccato, bloccata, delegato,
  wachten, wacht, wachtend, wachten op, geblokkeerd, gedelegeerd`;
const SNOOZED = `snoozed, someday, maybe, someday maybe, later, deferred, postponed, paused, on hold,
  irgendwann, vielleicht, später, verschoben, pausiert, zurückgestellt, ruht,
  un jour, peut être, plus tard, reporté, reportée, en pause,
  algún día, quizás, más tarde, aplazado, aplazada, pospuesto, en pausa,
  un giorno, forse, più tardi, rimandato, rimandata, in pausa,
  ooit, misschien, uitgesteld, gepauzeerd`;
const DONE = `done, complete, completed, finished, closed, resolved,
  erledigt, fertig, abgeschlossen, beendet, geschlossen, gemacht,
  fait, faite, terminé, terminée, fini, finie, achevé, clos,
  hecho, hecha, terminado, terminada, completado, completada, finalizado, cerrado,
  fatto, fatta, completato, completata, finito, concluso, terminato, chiuso,
  klaar, gedaan, afgerond, voltooid, gereed, gesloten`;
const ARCHIVED = `archived, cancelled, canceled, dropped, abandoned,
  archiviert, abgebrochen, abgesagt, verworfen, storniert, gestrichen,
  archivé, archivée, annulé, annulée, abandonné,
  archivado, archivada, cancelado, cancelada, anulado, abandonado,
  archiviato, archiviata, annullato, annullata, abbandonato,
  gearchiveerd, geannuleerd, vervallen, afgezegd`;

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      [ARCHIVED, 'archived'],
      [DONE, 'done'],
      [SNOOZED, 'snoozed'],
      [WAITING, 'open'],
      [DOING, 'open'],
      [OPEN, 'open'],
    ] as const
  ).flatMap(([words, state], nth) => words.split(',').map((word) => [plain(word), { state, rank: 9 - nth }] as const)),
);

/** Returns what a status most likely means in one of six languages; null for a word that is none of theirs. */
export function usualMeaning(word: string): Meaning | null {
  return MEANINGS.get(plain(word)) ?? null;
}

/** A word without the brackets, numbers and emojis that people put around it. */
function plain(word: string): string {
  return fold(word)
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}
