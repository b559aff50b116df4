import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames } from '../../vault/layout.ts';
import { clean } from '../print/plain-text.ts';
import { INIT_QUESTIONS, LEFT } from '../print/setup/init-words.ts';
import type { InitAsking } from './init-asking.ts';
import { type WrongType, wrongTypes } from './property-mends.ts';
import { lacksSnippet, SNIPPET_FILE } from './snippet.ts';
import type { Surroundings } from './survey/look-around.ts';
import { type Adoption, type ProposedSettings, proposedSettings } from './survey/proposed-settings.ts';
import type { FoundFolder } from './survey/record-folders.ts';
import type { FoundWord } from './survey/status-words.ts';
import type { Survey } from './survey/survey.ts';

/** What a person agreed to, before anything is made. */
export interface InitPlan {
  readonly adoption: Adoption;
  readonly settings: ProposedSettings;
  /** Where the records lie. */
  readonly folders: FolderNames;
  readonly mendsTypes: boolean;
  readonly addsSnippet: boolean;
  /** What a person was not asked about, because nobody was there to be asked. */
  readonly left: readonly string[];
}

interface Place {
  readonly root: string;
  readonly around: Surroundings;
  readonly survey: Survey;
  readonly isNew: boolean;
}

/** No more words than that are asked about; the others are named by `status`. */
const MOST_WORDS = 12;

/** Asks what may be made and taken over. Returns null where the person wants nothing made. */
export async function plannedFor(place: Place, asking: InitAsking | null): Promise<InitPlan | null> {
  if (asking === null) return untoldPlan(place);
  if (!(await asking.agree(INIT_QUESTIONS.begin(place.root, place.isNew)))) return null;
  const adoption = await adopted(place.survey, asking);
  if (adoption === null) return null;
  const wrong = wrongTypes(place.root);
  const mends = wrong.length === 0 ? false : await asking.agree(INIT_QUESTIONS.mend(wrongWords(wrong)));
  const adds = lacksSnippet(place.root) ? await asking.agree(INIT_QUESTIONS.snippet(SNIPPET_FILE)) : false;
  if (mends === null || adds === null) return null;
  const settings = proposedSettings(place.survey, adoption, place.around.taskNotes);
  return { ...planWith(place, adoption, settings), mendsTypes: mends, addsSnippet: adds };
}

function untoldPlan(place: Place): InitPlan {
  const { survey, root } = place;
  const nothing = { tasks: false, matters: false, words: [] };
  const wrong = wrongTypes(root);
  const folders = [survey.tasks, isClear(survey.matters) ? survey.matters : null].filter((one) => one !== null);
  const words = survey.words.filter(({ state }) => state !== null);
  const asked = proposedSettings(survey, { ...nothing, words }, place.around.taskNotes).status_values !== undefined;
  const { folder_task: _, folder_matter: __, ...settings } = proposedSettings(survey, nothing, null);
  const left = [
    ...folders.map(({ folder }) => LEFT.folder(folder)),
    ...(asked && survey.canExplain && hasRecords(survey) ? [LEFT.words] : []),
    ...(wrong.length === 0 ? [] : [LEFT.types(wrongWords(wrong))]),
  ];
  return { ...planWith(place, nothing, settings), left };
}

function planWith({ survey }: Place, adoption: Adoption, settings: ProposedSettings): InitPlan {
  const named = FOLDER_KINDS.flatMap((kind) => {
    const name = settings[`folder_${kind}`];
    return typeof name === 'string' ? [[kind, name] as const] : [];
  });
  const folders = { ...DEFAULT_FOLDERS, ...survey.folders, ...Object.fromEntries(named) };
  return { adoption, settings, folders, mendsTypes: false, addsSnippet: false, left: [] };
}

async function adopted(survey: Survey, asking: InitAsking): Promise<Adoption | null> {
  const tasks = await agreedTo(survey.tasks, 'task', asking);
  const matters = await agreedTo(survey.matters, 'matter', asking);
  if (tasks === null || matters === null) return null;
  const isUsed = survey.canExplain && (tasks || matters || hasRecords(survey));
  const words = isUsed ? await explained(survey.words, asking) : [];
  return words === null ? null : { tasks, matters, words };
}

/** Whether notes lie where the settings already look for them. */
function hasRecords({ standing }: Survey): boolean {
  return standing.tasks + standing.matters > 0;
}

async function agreedTo(
  found: FoundFolder | null,
  noun: 'task' | 'matter',
  asking: InitAsking,
): Promise<boolean | null> {
  if (found === null) return false;
  return asking.agree(INIT_QUESTIONS.lookAfter(found.notes, found.folder, noun), isClear(found));
}

/** Whether most notes of a folder are what the folder is for; else only a person says so. */
function isClear(found: FoundFolder | null): boolean {
  return found !== null && found.beside * 2 <= found.notes;
}

async function explained(words: readonly FoundWord[], asking: InitAsking): Promise<FoundWord[] | null> {
  const known = words.filter(({ state }) => state !== null);
  for (const word of words.filter(({ state, notes }) => state === null && notes > 0).slice(0, MOST_WORDS)) {
    const meaning = await asking.meaning(clean(word.word), word.notes);
    if (meaning === null) return null;
    if (meaning !== 'unknown') known.push({ ...word, state: meaning });
  }
  return known;
}

function wrongWords(wrong: readonly WrongType[]): string {
  return wrong.map(({ key, is }) => `${key} (${clean(is)})`).join(', ');
}
